/**
 * The same search without any of its savings: each run is made from its beginning to its end, with two instances on one
 * site. A run is a list of choices; the next one is the same list with its last choice advanced.
 */
import type { Bounds, Fate } from '../../../fuzz/exhaustive/search.ts';
import { standAt, type StartState } from '../../../fuzz/exhaustive/start-states.ts';
import { comeToRest } from '../../../fuzz/exhaustive/to-rest.ts';
import type { WatchedSite } from '../../../fuzz/exhaustive/watched-site.ts';
import { pushTotals } from '../../../shared/push-totals.ts';
import { reconcile } from '../../../shared/reconcile.ts';
import { noAnswer } from '../../../shared/simulation/faults.ts';
import { aroundPush, aroundReconcile, type Around, type PortCall } from '../../../shared/simulation/port-calls.ts';

interface Pending {
  readonly call: PortCall;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes one of so many options. */
type Choose = (options: number) => number;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

class PlainInstance {
  pending: Pending[] = [];
  isOver = false;

  constructor(name: string, { ports, site }: WatchedSite) {
    const around: Around = (call) =>
      new Promise((resolve, reject) => {
        if (!this.isOver) this.pending.push({ call, resolve, reject });
      });
    let passes = 0;
    const newPassId = (): string => `${name}-${(passes += 1)}`;
    const pass = aroundReconcile({ ...ports.pass, newPassId, listedAt: new Map() }, around);
    const push = (): Promise<unknown> => pushTotals(aroundPush(ports.push, around));
    const end = (): void => void (this.isOver = true);
    reconcile(pass, site).then(push, push).then(end, end);
  }

  die(): void {
    this.isOver = true;
    this.pending = [];
  }
}

export async function plainSearch(start: StartState, bounds: Bounds): Promise<{ runs: number; ends: number }> {
  const ends = new Set<string>();
  const choices: { taken: number; options: number }[] = [];
  let runs = 0;
  for (;;) {
    let depth = 0;
    ends.add(
      await plainRun(start, bounds, (options) => {
        const choice = (choices[depth] ??= { taken: 0, options });
        depth += 1;
        if (choice.options !== options) throw new Error('running again: there are other options than before');
        return choice.taken;
      }),
    );
    runs += 1;
    while (choices.at(-1)?.taken === (choices.at(-1)?.options ?? 0) - 1) choices.pop();
    const last = choices.at(-1);
    if (last === undefined) return { runs, ends: ends.size };
    last.taken += 1;
  }
}

/** Answers the world that is left in the end. */
async function plainRun(start: StartState, bounds: Bounds, choose: Choose): Promise<string> {
  const site = await standAt(start);
  const instances = [new PlainInstance('A', site), new PlainInstance('B', site)];
  let [preemptions, faults, last] = [0, 0, instances[0]];
  let isFirst = true;
  await turn();
  for (;;) {
    const options: { instance: PlainInstance; pending: Pending; fate: Fate }[] = [];
    for (const instance of isFirst ? instances.slice(0, 1) : instances) {
      if (instance !== last && last?.isOver === false && preemptions === bounds.preemptions) continue;
      for (const pending of instance.pending) {
        const fates: Fate[] = ['answered', 'crash before', 'crash after', 'timeout after'];
        for (const fate of fates.slice(0, faults === bounds.faults ? 1 : 4)) options.push({ instance, pending, fate });
      }
    }
    const option = options[choose(options.length || 1)];
    if (option === undefined) break;
    if (option.instance !== last && last?.isOver === false) preemptions += 1;
    if (option.fate !== 'answered') faults += 1;
    [last, isFirst] = [option.instance, false];
    await take(option, site);
    await turn();
  }
  const end = await site.key();
  await comeToRest(site);
  return end;
}

async function take(
  { instance, pending, fate }: { instance: PlainInstance; pending: Pending; fate: Fate },
  site: WatchedSite,
): Promise<void> {
  if (fate === 'crash before') return instance.die();
  const answer = await site.make(pending.call);
  if (fate === 'crash after') return instance.die();
  instance.pending = instance.pending.filter((one) => one !== pending);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to this very call
    pending.resolve(fate === 'answered' ? (answer as never) : noAnswer(pending.call));
  } catch (error) {
    pending.reject(error);
  }
}
