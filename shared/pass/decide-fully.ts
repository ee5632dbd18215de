/** Decide: what the decision says must be known first is read, and it is decided again. */
import { decide } from '../domain/decide.ts';
import type { SitePolicy } from '../domain/model.ts';
import type { Decision, Situation } from '../domain/situation.ts';
import { readLists } from './observe.ts';
import type { ReconcilePorts } from './ports.ts';

/** A decision that lacks nothing more. */
export interface Decided {
  /** As it was when the decision was made. */
  readonly situation: Situation;
  readonly decision: Decision;
}

/** Ends, as each round reads something that the decision lacks or finds that it can't be had. */
export async function decideFully(ports: ReconcilePorts, policy: SitePolicy, first: Situation): Promise<Decided> {
  let situation = first;
  for (;;) {
    const decision = decide(situation, policy);
    const reachable = (name: string): boolean => !situation.unreachable.includes(name);
    const toDescribe = decision.toDescribe.filter(reachable);
    const toList = decision.toList.filter(reachable);
    if (toDescribe.length === 0 && toList.length === 0) return { situation, decision };
    const described = await describe(ports, situation, toDescribe);
    const listed = await readLists(ports, toList);
    const unreachable = new Set([...situation.unreachable, ...described.unreachable, ...listed.unreachable]);
    situation = {
      ...situation,
      providers: described.providers,
      lists: [...situation.lists, ...listed.lists],
      unreachable: [...unreachable].sort(),
    };
  }
}

async function describe(
  { providers, ledger, clock, log }: ReconcilePorts,
  situation: Situation,
  names: readonly string[],
): Promise<Pick<Situation, 'providers' | 'unreachable'>> {
  const records = new Map(situation.providers.map((record) => [record.provider, record]));
  const unreachable: string[] = [];
  for (const name of names) {
    const previous = records.get(name);
    try {
      const description = await providers.get(name)?.describe();
      if (description === undefined) throw new Error(`no provider ${name} is set up`);
      const next = { provider: name, version: (previous?.version ?? 0) + 1, description, describedAt: clock.now() };
      // A rival that wrote first read the same description; either will do.
      await ledger.writeProvider(previous, next);
      records.set(name, next);
    } catch (error) {
      unreachable.push(name);
      log.warn('reading the terms of a provider failed', { provider: name, error: String(error) });
    }
  }
  return { providers: [...records.values()], unreachable };
}
