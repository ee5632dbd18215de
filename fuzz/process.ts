/** One invocation of a function: a pass or a push, with the calls that it has made and that are not yet answered. */
import type { Instant } from '../shared/domain/model.ts';
import type { PortCall } from '../shared/simulation/port-calls.ts';
import type { PartyClock } from './true-time.ts';

/** No answer came. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(call: string) {
    super(`calling ${call}: no answer came`);
  }
}

/** A call as the run deals with it. */
export interface Ask {
  readonly name: string;
  readonly party: 'table' | 'controller' | 'provider' | 'events';
  /** Absent: the call is not signed. */
  readonly receiver?: PartyClock;
}

export interface PendingCall extends Ask {
  readonly process: Process;
  /** By true time. */
  readonly sentAt: Instant;
  readonly effect: () => Promise<unknown>;
  readonly answer: (value: unknown) => void;
  /** Throws into the caller, or answers `unknown`. */
  readonly noAnswer: () => void;
  readonly fail: (error: unknown) => void;
}

/** What outlives single invocations: a function's warm copy. */
export class Instance {
  readonly name: string;
  readonly clock: PartyClock;
  listedAt = new Map<string, Instant>();

  constructor(name: string, clock: PartyClock) {
    this.name = name;
    this.clock = clock;
  }
}

export class Process {
  readonly name: string;
  readonly kind: 'reconcile' | 'push';
  readonly instance: Instance;
  readonly startedAt: Instant;
  /** Nothing comes between its calls. */
  readonly isSmooth: boolean;
  /** For promise 10. */
  readonly calls: PortCall[] = [];
  pausedUntil: Instant = -Infinity;
  isOver = false;
  /** It has been told that another holds the lease. */
  isIdle = false;

  constructor(options: {
    name: string;
    kind: Process['kind'];
    instance: Instance;
    startedAt: Instant;
    isSmooth: boolean;
  }) {
    this.name = options.name;
    this.kind = options.kind;
    this.instance = options.instance;
    this.startedAt = options.startedAt;
    this.isSmooth = options.isSmooth;
  }
}
