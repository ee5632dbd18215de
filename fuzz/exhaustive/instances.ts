/**
 * A provisioner instance as an automaton: where it stands follows from the answers that it has had, so each place is
 * reached by running the real pass and the real push with these answers.
 */
import { pushTotals } from '../../shared/push-totals.ts';
import { reconcile, type Site } from '../../shared/reconcile.ts';
import { aroundPush, aroundReconcile, type Around, type PortCall } from '../../shared/simulation/port-calls.ts';
import { bounded } from '../../test/promises/10-bounded.ts';
import type { Answer, CallNumbers, PendingCall } from './calls.ts';
import { PhaseRun } from './phase-run.ts';
import type { Ports } from './watched-site.ts';

/** Where an instance stands. */
export interface Position {
  readonly number: number;
  /** Calls that it has made and that nobody has answered; none: it has ended or died. */
  readonly pending: readonly PendingCall[];
}

/** It has ended or died: nothing more comes of it. */
export const over: Position = { number: 0, pending: [] };

/** The pass, then the push, each with nothing in memory of the one before. */
type Phase = 'reconcile' | 'push';

interface Answered {
  readonly call: PendingCall;
  readonly answer: Answer;
}

interface Standing extends Position {
  readonly phase: Phase;
  readonly answered: readonly Answered[];
}

export interface InstanceOptions {
  readonly name: string;
  readonly site: Site;
  /** Never called: they say which methods there are. */
  readonly ports: Ports;
  readonly numbers: CallNumbers;
  /** Tells from the stack of a call where in the code it is made. */
  readonly placeOf?: () => string;
}

export class Instance {
  readonly #options: InstanceOptions;
  readonly #standings: Standing[] = [];
  readonly #byKey = new Map<string, Standing>();
  readonly #next = new Map<string, Position>();
  /** The code as it was left last, which can go on from there. */
  #live: { readonly at: Standing; readonly run: PhaseRun } | undefined;

  constructor(options: InstanceOptions) {
    this.#options = options;
  }

  /** Before its first call is answered. */
  begin(): Promise<Position> {
    return this.#enter('reconcile');
  }

  /** Where it stands once this call has been answered. Throws what a pass or a push throws for no fault from outside. */
  async after(position: Position, call: PendingCall, answer: Answer): Promise<Position> {
    const step = `${position.number} ${call.number} ${answer.number}`;
    const known = this.#next.get(step);
    if (known !== undefined) return known;
    const standing = this.#standings[position.number - 1];
    if (standing === undefined) throw new RangeError(`going on from position ${position.number}: there is none`);
    const run = this.#live?.at === standing ? this.#live.run : await this.#runAgain(standing);
    this.#live = undefined;
    await run.answer(call, answer);
    const next = await this.#arrive(run, standing.phase, [...standing.answered, { call, answer }]);
    this.#next.set(step, next);
    return next;
  }

  async #enter(phase: Phase): Promise<Position> {
    return this.#arrive(await this.#run(phase), phase, []);
  }

  async #runAgain({ phase, answered }: Standing): Promise<PhaseRun> {
    const run = await this.#run(phase);
    for (const { call, answer } of answered) await run.answer(call, answer);
    return run;
  }

  async #arrive(run: PhaseRun, phase: Phase, answered: readonly Answered[]): Promise<Position> {
    if (run.hasEnded) {
      this.#checkBounds(phase, answered);
      return phase === 'reconcile' ? this.#enter('push') : over;
    }
    const { pending } = run;
    // Calls that are under way together belong to independent work, so the order of their answers does not matter.
    const key = [
      phase,
      ...answered.map(({ call, answer }) => `${call.number}=${answer.number}`).sort(),
      ...pending.map(({ number }) => `${number}?`).sort(),
    ].join(' ');
    let at = this.#byKey.get(key);
    if (at === undefined) {
      at = { number: this.#standings.length + 1, pending, phase, answered };
      this.#standings.push(at);
      this.#byKey.set(key, at);
    }
    this.#live = { at, run };
    return at;
  }

  #run(phase: Phase): Promise<PhaseRun> {
    const { numbers, placeOf = () => '' } = this.#options;
    return PhaseRun.of((around) => this.#program(phase, around), { numbers, placeOf });
  }

  #program(phase: Phase, around: Around): Promise<unknown> {
    const { name, ports, site } = this.#options;
    if (phase === 'push') return pushTotals(aroundPush(ports.push, around));
    let passes = 0;
    const newPassId = (): string => `${name}-${(passes += 1)}`;
    return reconcile(aroundReconcile({ ...ports.pass, newPassId, listedAt: new Map() }, around), site);
  }

  /** Promise 10. */
  #checkBounds(kind: Phase, answered: readonly Answered[]): void {
    const { ports, site } = this.#options;
    const resources = site.policy.resources.length;
    const calls = answered.map(({ call }) => call.call);
    const mostGrants = resources * calls.reduce((most, call) => Math.max(most, grantsIn(call)), 0);
    bounded(ports.pass.providers.size, resources).ended?.({ kind, calls, mostGrants }, ports.pass.clock.now());
  }
}

function grantsIn(call: PortCall): number {
  return call.method === 'write' ? Math.max(...call.arguments.map((ledger) => ledger?.grants.length ?? 0)) : 0;
}
