/**
 * The world around the instances as an automaton: its state follows from the calls that took effect, so each state is
 * reached by making these calls on a site that stands at the start. Every call is made once in every state in which any
 * instance can make it, under the watch of the promises.
 */
import { isRead, type Answer, type CallNumbers, type PendingCall } from './calls.ts';
import { Interner } from './interner.ts';
import { standAt, type StartState } from './start-states.ts';
import { comeToRest } from './to-rest.ts';
import type { WatchedSite } from './watched-site.ts';

/** What a call came to. `broken`: a promise, or an adapter, was. */
export type Effect = { readonly state: number; readonly answer: Answer } | { readonly broken: unknown };

/** How a state is reached; absent at the start. */
type From = { readonly state: number; readonly call: PendingCall } | undefined;

interface Standing {
  readonly state: number;
  readonly site: WatchedSite;
}

export class Worlds {
  readonly #start: StartState;
  readonly #numbers: CallNumbers;
  readonly #states = new Interner<From>();
  readonly #effects = new Map<string, Effect>();
  readonly #endings = new Map<number, unknown>();
  /** The site that the last call was made on. */
  #standing: Standing | undefined;

  constructor(start: StartState, numbers: CallNumbers) {
    this.#start = start;
    this.#numbers = numbers;
  }

  /** The state at the start, where nothing is decided yet. */
  async begin(): Promise<number> {
    const site = await standAt(this.#start);
    return this.#settleAt(site);
  }

  async make(state: number, call: PendingCall): Promise<Effect> {
    const step = `${state} ${call.number}`;
    const known = this.#effects.get(step);
    if (known !== undefined) return known;
    const site = await this.#siteAt(state);
    const effect = await this.#make(site, state, call);
    this.#effects.set(step, effect);
    return effect;
  }

  /** Faults stop and passes run to rest; answers what was broken on the way. */
  async end(state: number): Promise<unknown> {
    if (this.#endings.has(state)) return this.#endings.get(state);
    const site = await this.#siteAt(state);
    this.#standing = undefined;
    const broken = await comeToRest(site).then(
      () => undefined,
      (error: unknown) => error,
    );
    this.#endings.set(state, broken);
    return broken;
  }

  async #make(site: WatchedSite, state: number, call: PendingCall): Promise<Effect> {
    try {
      const answer = this.#numbers.answer(await site.make(call.call));
      return { answer, state: isRead(call.call) ? state : await this.#settleAt(site, { state, call }) };
    } catch (broken) {
      this.#standing = undefined;
      return { broken };
    }
  }

  async #settleAt(site: WatchedSite, from?: From): Promise<number> {
    const state = this.#states.number(from, await site.key());
    this.#standing = { state, site };
    return state;
  }

  async #siteAt(state: number): Promise<WatchedSite> {
    if (this.#standing?.state === state) return this.#standing.site;
    const calls: PendingCall[] = [];
    for (let from = this.#states.value(state); from !== undefined; from = this.#states.value(from.state)) {
      calls.unshift(from.call);
    }
    const site = await standAt(this.#start);
    for (const { call } of calls) await site.make(call);
    this.#standing = { state, site };
    return site;
  }
}
