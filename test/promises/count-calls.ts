import type { Instant } from '../../shared/domain/model.ts';
import { aroundPush, aroundReconcile, type Around, type PortCall } from '../../shared/simulation/port-calls.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import type { Run } from './check.ts';

/** Tells of each pass and each push what it has called, when it has come to its end. */
export function countCalls(ended: (run: Omit<Run, 'mostGrants'>, at: Instant) => void): Interception {
  const count = async (kind: Run['kind'], run: (around: Around) => Promise<unknown>, now: () => Instant) => {
    const calls: PortCall[] = [];
    const answer = await run((call, effect) => {
      calls.push(call);
      return effect();
    });
    ended({ kind, calls }, now());
    return answer;
  };
  return {
    reconcile: (ports, run) =>
      count(
        'reconcile',
        (around) => run(aroundReconcile(ports, around)),
        () => ports.clock.now(),
      ),
    push: (ports, run) =>
      count(
        'push',
        (around) => run(aroundPush(ports, around)),
        () => ports.clock.now(),
      ),
  };
}
