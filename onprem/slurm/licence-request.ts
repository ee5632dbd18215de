import type { Tokens } from '../../shared/domain/model.ts';

/**
 * The licences that a job asks for: ways to satisfy it, in the order in which Slurm tries them, each with the tokens
 * of every licence that it takes. There is more than one way only for a list with bars (`a|b`, from Slurm 25.05).
 */
export type LicenceRequest = readonly ReadonlyMap<string, Tokens>[];

const item = /^([^\s:]+)(?::(\d+))?$/;

/**
 * Reads a job's licences as squeue shows them: what the user typed, until Slurm puts it in order. Items are joined by
 * commas or semicolons, a name without a count asks for one, repeated names add up, a count of 0 asks for nothing, and
 * bars join alternatives (never together with commas). `undefined`: it can't be read.
 */
export function parseLicenceRequest(text: string): LicenceRequest | undefined {
  if (text === '' || text === '(null)') return [new Map()];
  const ways = text.split('|').map(parseList);
  return ways.every((way) => way !== undefined) ? ways : undefined;
}

function parseList(list: string): Map<string, Tokens> | undefined {
  const tokens = new Map<string, Tokens>();
  for (const part of list.split(/[,;]/).filter((each) => each !== '')) {
    const [, name, count = '1'] = item.exec(part) ?? [];
    if (name === undefined) return undefined;
    if (Number(count) > 0) addTokens(tokens, name, Number(count));
  }
  return tokens;
}

/** Adds to one licence's sum. */
export function addTokens(sums: Map<string, Tokens>, name: string, tokens: Tokens): void {
  sums.set(name, (sums.get(name) ?? 0) + tokens);
}
