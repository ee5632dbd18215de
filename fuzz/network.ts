/** Between the processes and the parties: here calls are lost, late, doubled and cut short. */
import type { Instant, Observation } from '../shared/domain/model.ts';
import { admits } from './accepts.ts';
import type { Draw } from './draw.ts';
import type { CallFault, FaultCounts } from './fault-kinds.ts';
import type { Oracle } from './oracle.ts';
import { isLostToRival } from './ports.ts';
import type { Ask, PendingCall, Process } from './process.ts';
import type { Temper } from './temper.ts';
import type { World } from './world.ts';

/** A client waits this long for an answer (`functions/wiring.ts`). */
const callTimeoutMilliseconds = 8_000;
/** Share of calls whose answer is some time on its way though nothing is wrong. */
const slowRate = 0.05;

/** Something that arrives at a later step: an event, an answer, or a call that was held up. */
interface Delivery {
  readonly notBefore: Instant;
  readonly arrive: () => void;
}

/** What the network needs of the run that it is part of. */
export interface RunState {
  readonly world: World;
  readonly temper: Temper;
  readonly oracle: Oracle;
  readonly faults: FaultCounts;
  readonly draw: Draw;
  readonly now: Instant;
  readonly isCalm: boolean;
  tell(who: string, what: () => string): void;
  crash(process: Process, why: string): void;
}

export class Network {
  readonly #run: RunState;
  #pending: PendingCall[] = [];
  #deliveries: Delivery[] = [];
  #observations: Observation[] = [];

  constructor(run: RunState) {
    this.#run = run;
  }

  get isBusy(): boolean {
    return this.#pending.length + this.#deliveries.length > 0;
  }

  /** See `AskParty`. */
  ask<Answer>(process: Process, ask: Ask, effect: () => Promise<Answer>, lost: () => Answer): Promise<Answer> {
    if (process.isOver) return never();
    const { clock } = process.instance;
    const signedAt = clock.now();
    const run = async () => {
      if (ask.receiver !== undefined && !admits(signedAt, ask.receiver.now())) return lost();
      return effect();
    };
    if (process.isSmooth) return this.#askSmoothly(process, ask, run, lost);
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void): void => {
        if (!process.isOver) settle();
      };
      this.#pending.push({
        ...ask,
        process,
        sentAt: this.#run.now,
        effect: run,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer of this very effect, or of an earlier one of its kind
        answer: (value) => settled(() => resolve(value as Answer)),
        noAnswer: () =>
          settled(() => {
            try {
              resolve(lost());
            } catch (error) {
              reject(error);
            }
          }),
        fail: (error) => settled(() => reject(error)),
      });
    });
  }

  /** Nothing comes in between, but a party may be out of reach. */
  async #askSmoothly<Answer>(
    process: Process,
    ask: Ask,
    effect: () => Promise<Answer>,
    lost: () => Answer,
  ): Promise<Answer> {
    const dark = ask.receiver && this.#run.world.dark.get(ask.receiver);
    const fault = dark !== undefined && !this.#run.isCalm && this.#run.now < dark.until ? dark.fault : undefined;
    this.#run.tell(process.name, () => `${ask.name}${fault === undefined ? '' : `  <- ${fault}`}`);
    if (fault === undefined) return effect();
    this.#run.faults.add(fault);
    if (fault === 'call-unanswered') await effect().catch(() => {});
    return lost();
  }

  /** One of the calls and deliveries that may happen now. Answers whether there was one. */
  async land(): Promise<boolean> {
    const calls = this.#pending.filter(({ process }) => process.pausedUntil <= this.#run.now);
    const due = this.#deliveries.filter(({ notBefore }) => notBefore <= this.#run.now);
    const chosen = this.#run.draw.between(1, calls.length + due.length);
    const call = calls[chosen - 1];
    const delivery = due[chosen - 1 - calls.length];
    if (call !== undefined) await this.#landCall(call);
    else if (delivery === undefined) return false;
    else {
      this.#deliveries = this.#deliveries.filter((other) => other !== delivery);
      delivery.arrive();
      await drained();
    }
    this.#run.oracle.see();
    return true;
  }

  async #landCall(call: PendingCall): Promise<void> {
    this.#take(call);
    const fault = this.#faultOf(call);
    if (fault !== undefined) this.#run.faults.add(fault);
    this.#run.tell(call.process.name, () => `${call.name}${fault === undefined ? '' : `  <- ${fault}`}`);
    switch (fault) {
      case 'call-lost':
      case 'table-throttled':
        call.noAnswer();
        break;
      case 'call-late':
        this.#later(call, this.#run.draw.between(0, 90_000));
        call.noAnswer();
        break;
      case 'crash-before':
        this.#run.crash(call.process, 'crash');
        break;
      case 'stale-observation':
        call.answer(this.#run.draw.pick(this.#observations));
        break;
      case 'table-write-retried':
        await call.effect().catch(() => {});
        await this.#answer(call);
        break;
      case 'call-unanswered':
        await call.effect().catch(() => {});
        call.noAnswer();
        break;
      case 'crash-after':
        await call.effect().catch(() => {});
        this.#run.crash(call.process, 'crash');
        break;
      case 'answer-slow':
        await this.#answer(call, this.#run.draw.between(500, 7_000));
        break;
      case 'call-doubled':
        this.#later(call, this.#run.draw.between(0, 60_000));
        await this.#answer(call);
        break;
      case undefined:
        await this.#answer(call, this.#run.draw.happens(slowRate) ? this.#run.draw.between(100, 3_000) : 0);
    }
    await drained();
  }

  async #answer(call: PendingCall, afterMilliseconds = 0): Promise<void> {
    const settle = (act: () => void): void => {
      if (afterMilliseconds === 0) act();
      else this.deliver(afterMilliseconds, act);
    };
    try {
      const value = await call.effect();
      if (call.name === 'observe') this.#remember(value);
      settle(() => call.answer(value));
    } catch (error) {
      if (isLostToRival(error)) this.#run.faults.add('write-lost-to-rival');
      settle(() => call.fail(error));
    }
  }

  #remember(value: unknown): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `observe` answers
    this.#observations = [...this.#observations.slice(-7), value as Observation];
  }

  #faultOf(call: PendingCall): CallFault | undefined {
    const { draw, temper } = this.#run;
    if (this.#run.isCalm) return undefined;
    const dark = call.receiver && this.#run.world.dark.get(call.receiver);
    if (dark !== undefined && this.#run.now < dark.until) return dark.fault;
    if (!draw.happens(temper.callFaultRate)) return undefined;
    const fault = draw.pick(temper.callFaults);
    if (fault === 'table-throttled' && call.party !== 'table') return undefined;
    if (fault === 'table-write-retried' && !call.name.startsWith('put if')) return undefined;
    if (fault === 'stale-observation' && (call.name !== 'observe' || this.#observations.length === 0)) return undefined;
    // The SDK makes no second copy of a write that was answered, and nobody answers an event.
    if (fault === 'call-doubled' && (call.party === 'table' || call.party === 'events')) return undefined;
    return fault;
  }

  #take(call: PendingCall): void {
    this.#pending = this.#pending.filter((other) => other !== call);
  }

  /** The call takes effect, or another copy of it does, when nobody waits for it any more. */
  #later(call: PendingCall, milliseconds: number): void {
    this.deliver(milliseconds, () => {
      this.#run.tell('network', () => `brings ${call.process.name}'s ${call.name}`);
      call.effect().catch(() => {});
    });
  }

  /** To arrive at a step after so long. */
  deliver(milliseconds: number, arrive: () => void): void {
    this.#deliveries.push({ notBefore: this.#run.now + milliseconds, arrive });
  }

  /** Calls that have waited too long for their answers. */
  timeOutCalls(): void {
    const { now, draw, faults } = this.#run;
    const late = this.#pending.filter(
      ({ sentAt, process }) => process.pausedUntil <= now && now - sentAt > callTimeoutMilliseconds,
    );
    for (const call of late) {
      faults.add('call-timed-out');
      this.#take(call);
      if (draw.happens(0.5)) this.#later(call, draw.between(0, 20_000));
      this.#run.tell(call.process.name, () => `${call.name}: no answer in time`);
      call.noAnswer();
    }
  }

  /** Nobody waits for the answers of a process that has died. */
  drop(process: Process): void {
    this.#pending = this.#pending.filter((call) => call.process !== process);
  }
}

/** Until nothing can happen any more without a further step. */
export function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A process that has died waits for ever. */
function never(): Promise<never> {
  return new Promise(() => {});
}
