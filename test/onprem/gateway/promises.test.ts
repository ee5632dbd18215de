import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayUnderTest } from './gateway.ts';

type Step =
  | { readonly do: 'submit'; readonly tokens: number; readonly decideOnly: boolean }
  | { readonly do: 'end' }
  | { readonly do: 'push'; readonly borrowed: number; readonly again: boolean }
  | { readonly do: 'fault'; readonly fault: 'before' | 'after' | 'late' }
  | { readonly do: 'disk' | 'restart' | 'compact' | 'start' | 'look' | 'thaw' }
  | { readonly do: 'pass'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('submit' as const), tokens: fc.integer({ min: 1, max: 12 }), decideOnly: fc.boolean() }),
  fc.record({ do: fc.constant('push' as const), borrowed: fc.integer({ min: 0, max: 20 }), again: fc.boolean() }),
  fc.record({ do: fc.constant('fault' as const), fault: fc.constantFrom('before', 'after', 'late') }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ do: fc.constantFrom('end', 'disk', 'restart', 'compact', 'start', 'look', 'thaw') }),
);

/** Runs the steps; throws where more may be in use than the last confirmed total and what was pushed since allow. */
async function run(steps: readonly Step[]): Promise<GatewayUnderTest> {
  const gateway = new GatewayUnderTest();
  const { scheduler } = gateway;
  let allowed = 10;
  let sequence = 0;
  let pushed = { sequence, borrowed: 0 };
  let submitted = 0;
  let lateForSeconds = 0;
  const running: string[] = [];

  const check = (after: Step): void => {
    const inUse = scheduler.inUse('hfsshpc');
    const total = scheduler.totals.get('hfsshpc') ?? 0;
    if (inUse > allowed) throw new Error(`after ${JSON.stringify(after)}: ${inUse} in use, ${allowed} allowed`);
    if (total > allowed) throw new Error(`after ${JSON.stringify(after)}: a total of ${total}, ${allowed} allowed`);
  };

  const push = async (borrowed: number, again: boolean): Promise<void> => {
    if (!again) pushed = { sequence: (sequence += 1), borrowed };
    allowed = Math.max(allowed, 10 + pushed.borrowed);
    const answer = await gateway.setTotal(pushed).catch(() => undefined);
    // Now, and no sooner, would tokens be given back.
    if (answer?.outcome === 'applied') allowed = 10 + pushed.borrowed;
  };

  const act = async (next: Step): Promise<void> => {
    switch (next.do) {
      case 'submit':
        running.push(`${(submitted += 1)}`);
        scheduler.submit(`${submitted}`, 'hfsshpc', next.tokens, next);
        break;
      case 'end':
        scheduler.end(running.shift() ?? '');
        break;
      case 'push':
        await push(next.borrowed, next.again);
        break;
      case 'fault':
        scheduler.failNext(next.fault);
        break;
      case 'disk':
        gateway.diskFault = new Error('no space left');
        break;
      case 'restart':
        gateway.diskFault = undefined;
        gateway.restart();
        break;
      case 'compact':
        gateway.compact();
        break;
      case 'start':
        scheduler.startDecided();
        break;
      case 'look':
        await gateway.controller.look();
        await gateway.controller.enforce().catch(() => undefined);
        break;
      case 'thaw':
        scheduler.thaw();
        break;
      case 'pass':
        gateway.pass(next.seconds);
        break;
    }
  };

  for (const next of steps) {
    if (next.do === 'pass' && scheduler.hasLate) {
      lateForSeconds += next.seconds;
      // The scheduler's own word: nothing takes effect later than this.
      if (lateForSeconds >= scheduler.uncertainSeconds) scheduler.thaw();
    }
    if (!scheduler.hasLate) lateForSeconds = 0;
    await act(next);
    check(next);
  }
  return gateway;
}

describe('a gateway whose scheduler, disk and process fail at any time', () => {
  it('never lets more be in use than the last confirmed total, or what was pushed since, allows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        await run(steps);
      }),
      { numRuns: 1_500 },
    );
  });

  it('comes to the last total that it accepted once nothing fails any more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const gateway = await run(steps);
        gateway.scheduler.stopFailing();
        gateway.diskFault = undefined;
        gateway.pass(3);
        await gateway.controller.look();
        await gateway.controller.enforce();
        await gateway.controller.look();
        await gateway.controller.enforce();
        const { totals, raising } = gateway.controller.state();
        const accepted = raising['hfsshpc'] ?? totals['hfsshpc'];
        expect(raising).toEqual({});
        expect(gateway.scheduler.totals.get('hfsshpc')).toBe(accepted?.total ?? 10);
      }),
      { numRuns: 300 },
    );
  });
});
