/**
 * Context-bounded systematic concurrency testing (Musuvathi and Qadeer, PLDI 2007): every order in which the calls of
 * two instances can take effect with at most so many preemptions, and in each of them every place for at most so many
 * faults. A preemption is a switch away from an instance that could go on; when one has ended or died, the switch is free.
 */
import { timeout, type PendingCall } from './calls.ts';
import { over, type Instance, type Position } from './instances.ts';
import type { Worlds } from './worlds.ts';

export interface Bounds {
  readonly preemptions: number;
  readonly faults: number;
}

/** What becomes of a call, and of whoever makes it. Only the first is no fault. */
export type Fate = 'answered' | 'crash before' | 'crash after' | 'timeout after';

export interface Step {
  readonly instance: number;
  readonly call: PendingCall;
  readonly fate: Fate;
}

export interface Broken {
  readonly error: unknown;
  readonly steps: readonly Step[];
}

interface State {
  readonly world: number;
  readonly positions: readonly [Position, Position];
  /** Which of the instances made the last step. */
  readonly last: number;
  readonly preemptions: number;
  readonly faults: number;
}

export class Search {
  readonly #worlds: Worlds;
  readonly #instances: readonly [Instance, Instance];
  readonly #bounds: Bounds;
  /** Runs that go on from each state that was met. */
  readonly #runsFrom = new Map<string, number>();
  readonly #ends = new Set<number>();
  readonly #steps: Step[] = [];
  /** The first run of each different breach. */
  readonly broken = new Map<string, Broken>();
  /** Places in the code at which an instance died. */
  readonly crashedAt = new Set<string>();

  constructor(worlds: Worlds, instances: readonly [Instance, Instance], bounds: Bounds) {
    this.#worlds = worlds;
    this.#instances = instances;
    this.#bounds = bounds;
  }

  get states(): number {
    return this.#runsFrom.size;
  }

  /** Different worlds that were left in the end. */
  get ends(): number {
    return this.#ends.size;
  }

  /** Answers how many runs there are. The instances are alike, so it loses nothing that the first one takes the first step. */
  async run(): Promise<number> {
    const [first, second] = this.#instances;
    const world = await this.#worlds.begin();
    const positions = [await first.begin(), await second.begin()] as const;
    return this.#stepsOf(0, { world, positions, last: 0, preemptions: 0, faults: 0 });
  }

  async #from(state: State): Promise<number> {
    const { world, positions, last, preemptions, faults } = state;
    const [a, b] = positions;
    if (a === over && b === over) return this.#end(world);
    const mayGoOn = positions[last] !== over;
    const key = `${world} ${a.number} ${b.number} ${mayGoOn ? last : ''} ${preemptions} ${faults}`;
    const known = this.#runsFrom.get(key);
    if (known !== undefined) return known;
    let runs = 0;
    for (const instance of [0, 1]) {
      const isPreemption = mayGoOn && instance !== last;
      if (isPreemption && preemptions === this.#bounds.preemptions) continue;
      runs += await this.#stepsOf(instance, { ...state, preemptions: preemptions + (isPreemption ? 1 : 0) });
    }
    if (!Number.isSafeInteger(runs)) throw new RangeError('counting runs: there are too many; lower the bounds');
    this.#runsFrom.set(key, runs);
    return runs;
  }

  /** Each call that the instance has under way may be the next to take effect, and meet each fate. */
  async #stepsOf(instance: number, state: State): Promise<number> {
    let runs = 0;
    for (const call of state.positions[instance]?.pending ?? []) {
      runs += await this.#step({ instance, call, fate: 'answered' }, state);
      if (state.faults === this.#bounds.faults) continue;
      const faulty = { ...state, faults: state.faults + 1 };
      for (const fate of ['crash before', 'crash after', 'timeout after'] as const) {
        runs += await this.#step({ instance, call, fate }, faulty);
      }
    }
    return runs;
  }

  async #step(step: Step, state: State): Promise<number> {
    this.#steps.push(step);
    try {
      return await this.#from(await this.#after(step, state));
    } catch (error) {
      this.#note(error);
      return 1;
    } finally {
      this.#steps.pop();
    }
  }

  /** Throws what the call broke. */
  async #after({ instance, call, fate }: Step, state: State): Promise<State> {
    const position = state.positions[instance];
    const one = this.#instances[instance];
    if (position === undefined || one === undefined) throw new RangeError(`stepping: there is no instance ${instance}`);
    const standsAt = (next: Position): State['positions'] => {
      const [a, b] = state.positions;
      return instance === 0 ? [next, b] : [a, next];
    };
    if (fate !== 'answered' && fate !== 'timeout after') this.crashedAt.add(call.place);
    if (fate === 'crash before') return { ...state, positions: standsAt(over), last: instance };
    const effect = await this.#worlds.make(state.world, call);
    if ('broken' in effect) throw effect.broken;
    const next =
      fate === 'crash after' ? over : await one.after(position, call, fate === 'answered' ? effect.answer : timeout);
    return { ...state, world: effect.state, positions: standsAt(next), last: instance };
  }

  async #end(world: number): Promise<number> {
    this.#ends.add(world);
    const broken = await this.#worlds.end(world);
    if (broken !== undefined) this.#note(broken);
    return 1;
  }

  #note(error: unknown): void {
    const what = String(error);
    if (!this.broken.has(what)) this.broken.set(what, { error, steps: [...this.#steps] });
  }
}
