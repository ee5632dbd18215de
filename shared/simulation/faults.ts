/**
 * Makes the calls of passes and pushes fail, come late or be cut short by a crash. What happens to which call is dealt
 * by a function, so that a test can name one call and a search can draw from a seed.
 */
import type { Clock } from '../ports.ts';
import { WorkIncomplete } from '../pass/each-resource.ts';
import type { PushPorts } from '../push-totals.ts';
import type { ReconcilePorts } from '../reconcile.ts';
import { aroundPush, aroundReconcile, type Around, type PortCall } from './port-calls.ts';
import type { Interception } from './simulated-site.ts';

/**
 * What becomes of a call. `lost`: it never arrives. `unanswered`: it takes effect, its answer is lost. `late`: it is not
 * answered, and takes effect after some further calls. `crashesBefore`, `crashesAfter`: whoever makes it dies. `rival`:
 * another pass runs from its beginning to its end first.
 */
export type Fate = 'answered' | 'lost' | 'unanswered' | 'late' | 'crashesBefore' | 'crashesAfter' | 'rival';

/** What becomes of a pass as a whole: its event is lost, or delivered twice. */
export type WakeFate = 'once' | 'never' | 'twice';

/** Deals out what goes wrong. */
export interface Dealer {
  call(call: PortCall): Fate;
  wake(): WakeFate;
  /** How many turns of other work come before a call arrives. */
  turns(): number;
  /** How many further calls come before a late one takes effect. */
  lateness(): number;
}

/** Nothing goes wrong. */
export const faultless: Dealer = { call: () => 'answered', wake: () => 'once', turns: () => 0, lateness: () => 1 };

/** A signed call is refused when it is older than this, so nothing takes effect later. */
const callLivesMilliseconds = 60_000;

/** Thrown by a call of a port in place of an answer. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
  readonly method: string;
  constructor({ method }: PortCall) {
    super(`calling ${method}: no answer came, as this test wants it`);
    this.method = method;
  }
}

interface LateCall {
  callsToGo: number;
  readonly sentAt: number;
  readonly effect: () => Promise<unknown>;
}

/** Stands between the passes and the world, and lets the dealer have its way. */
export class Faults implements Interception {
  /** May be changed at any time: `faultless` ends all faults. */
  dealer: Dealer;
  #late: LateCall[] = [];

  constructor(dealer: Dealer) {
    this.dealer = dealer;
  }

  reconcile(ports: ReconcilePorts, run: (ports: ReconcilePorts) => Promise<unknown>): Promise<unknown> {
    return this.#wake(
      (around) => run(aroundReconcile(ports, around)),
      () => run(ports),
      ports.clock,
    );
  }

  push(ports: PushPorts, run: (ports: PushPorts) => Promise<unknown>): Promise<unknown> {
    return this.#wake(
      (around) => run(aroundPush(ports, around)),
      () => run(ports),
      ports.clock,
    );
  }

  async #wake(run: (around: Around) => Promise<unknown>, rival: () => Promise<unknown>, clock: Clock): Promise<void> {
    const times = { never: 0, once: 1, twice: 2 }[this.dealer.wake()];
    await Promise.all(Array.from({ length: times }, () => this.#live(run, rival, clock)));
  }

  /** One life of a process: it ends with its work, or with a crash, after which nothing of it is heard of any more. */
  async #live(run: (around: Around) => Promise<unknown>, rival: () => Promise<unknown>, clock: Clock): Promise<void> {
    let dead = false;
    let crash = (): void => {};
    const crashed = new Promise<void>((resolve) => {
      crash = () => {
        dead = true;
        resolve();
      };
    });
    const around: Around = async (call, effect) => {
      for (let turns = this.dealer.turns(); turns > 0; turns -= 1) await Promise.resolve();
      if (dead) return never();
      const fate = this.dealer.call(call);
      await this.#landLateCalls(clock.now());
      switch (fate) {
        case 'late':
          this.#late.push({ callsToGo: this.dealer.lateness(), sentAt: clock.now(), effect });
          return noAnswer(call);
        case 'lost':
          return noAnswer(call);
        case 'crashesBefore':
          crash();
          return never();
        case 'rival':
          await rival();
      }
      const answer = await effect();
      if (fate === 'unanswered') return noAnswer(call);
      if (fate === 'crashesAfter') crash();
      return dead ? never() : answer;
    };
    try {
      await Promise.race([run(around), crashed]);
    } catch (error) {
      if (!isInjected(error)) throw error;
    }
  }

  async #landLateCalls(now: number): Promise<void> {
    for (const late of this.#late) late.callsToGo -= 1;
    const landing = this.#late.filter(({ callsToGo }) => callsToGo <= 0);
    this.#late = this.#late.filter(({ callsToGo }) => callsToGo > 0);
    for (const { sentAt, effect } of landing) if (now - sentAt <= callLivesMilliseconds) await effect();
  }
}

/** Draws a fate for each call; `rate` is the share of calls to which something happens. */
export function randomFaults(random: () => number, rate: number): Dealer {
  const draw = <T>(values: readonly T[], otherwise: T): T =>
    random() < rate ? (values[Math.floor(random() * values.length)] ?? otherwise) : otherwise;
  return {
    call: ({ method }) => draw<Fate>(method === 'write' ? [...fates, 'rival', 'rival'] : fates, 'answered'),
    wake: () => draw<WakeFate>(['never', 'twice', 'twice'], 'once'),
    turns: () => Math.floor(random() * 6),
    lateness: () => 1 + Math.floor(random() * 30),
  };
}

const fates: readonly Fate[] = ['lost', 'unanswered', 'late', 'crashesBefore', 'crashesAfter'];

/** A pass that has died waits for ever. */
function never(): Promise<never> {
  return new Promise(() => {});
}

/** Calls that change something at another party answer `unknown`; the others throw `InjectedFault`. */
export function noAnswer(call: PortCall): never {
  const { method } = call;
  if (method === 'setTotal' || method === 'request' || method === 'giveBack' || method === 'renew') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of these may answer so, whatever else it may answer
    return { outcome: 'unknown', detail: 'no answer' } as never;
  }
  throw new InjectedFault(call);
}

/** It comes of an `InjectedFault` alone. */
export function isInjected(error: unknown): boolean {
  return error instanceof WorkIncomplete ? error.errors.every(isInjected) : error instanceof InjectedFault;
}
