/** The search from one start state, with growing bounds. */
import { CallNumbers } from './calls.ts';
import { Instance } from './instances.ts';
import { Search, type Bounds, type Broken } from './search.ts';
import type { StartState } from './start-states.ts';
import { standAt } from './start-states.ts';
import { Worlds } from './worlds.ts';

/** What a search came to. */
export interface Exploration {
  readonly bounds: Bounds;
  /** Different runs within the bounds; none was left out. */
  readonly runs: number;
  /** Different states of the whole (the world, where each instance stands, what of the bounds is used up). */
  readonly states: number;
  /** Different worlds that were left when both instances had ended or died; from each, passes ran to rest. */
  readonly ends: number;
  readonly broken: readonly Broken[];
  /** Places in the code at which an instance died. */
  readonly crashedAt: ReadonlySet<string>;
}

/** Searches with each of the bounds in turn; what one has found out, the next need not run again. */
export async function* explore(
  start: StartState,
  bounds: readonly Bounds[],
  placeOf?: () => string,
): AsyncGenerator<Exploration> {
  const numbers = new CallNumbers();
  const worlds = new Worlds(start, numbers);
  const { ports } = await standAt(start);
  const instance = (name: string): Instance =>
    new Instance({ name, site: start.site, ports, numbers, ...(placeOf && { placeOf }) });
  const instances = [instance('A'), instance('B')] as const;
  for (const bound of bounds) {
    const search = new Search(worlds, instances, bound);
    const runs = await search.run();
    const { states, ends, crashedAt } = search;
    yield { bounds: bound, runs, states, ends, crashedAt, broken: [...search.broken.values()] };
  }
}
