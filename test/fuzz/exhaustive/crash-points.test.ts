import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../fuzz/exhaustive/explore.ts';
import type { Bounds } from '../../../fuzz/exhaustive/search.ts';
import { startStates } from '../../../fuzz/exhaustive/start-states.ts';

const shared = new URL('../../../shared/', import.meta.url);

/** Every method of a port that a pass or a push calls; the clock and the log are not among them, as nothing is awaited there. */
const portCall =
  /\.(read|write|writeProvider|writeUnheardSince|recordPass|observe|acquireLease|setTotal|totalChanged|describe|list|request|giveBack|renew)\(/;

async function portCallsInTheCode(): Promise<string[]> {
  const passes = (await readdir(new URL('pass/', shared))).map((name) => `pass/${name}`);
  const places: string[] = [];
  for (const file of [...passes, 'reconcile.ts', 'push-totals.ts']) {
    const lines = (await readFile(new URL(file, shared), 'utf8')).split('\n');
    lines.forEach((line, index) => portCall.test(line) && places.push(`${file}:${index + 1}`));
  }
  return places.sort();
}

function placeOfCall(): string {
  const { stack = '' } = new Error();
  return /shared\/((?:pass\/[\w-]+|reconcile|push-totals)\.ts:\d+)/.exec(stack)?.[1] ?? stack;
}

/** The controller can only be noted as unheard by an instance that met a fault before. */
const bounds = (name: string): Bounds => ({ preemptions: 0, faults: name === 'returning' ? 2 : 1 });

describe('the start states together', () => {
  it('have an instance die at every call of a port in the pass and in the push', { timeout: 300_000 }, async () => {
    const crashedAt = new Set<string>();
    for (const start of startStates) {
      for await (const found of explore(start, [bounds(start.name)], placeOfCall)) {
        found.crashedAt.forEach((place) => crashedAt.add(place));
      }
    }
    expect([...crashedAt].sort()).toEqual(await portCallsInTheCode());
  });
});
