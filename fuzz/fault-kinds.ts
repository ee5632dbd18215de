/** Every kind of fault that a run may meet, by the name under which it is counted. */
export const callFaults = [
  'call-lost',
  'call-unanswered',
  'call-late',
  'call-doubled',
  'answer-slow',
  'crash-before',
  'crash-after',
  'table-throttled',
  'table-write-retried',
  'stale-observation',
] as const;

export const eventFaults = ['event-lost', 'event-doubled', 'event-late', 'process-paused'] as const;

export const troubles = [
  'clock-jumped',
  'party-dark',
  'lease-lost',
  'controller-restarted',
  'controller-fell-back',
  'total-replayed',
  'grant-revoked',
  'grant-forgotten',
  'grant-cut-short',
  'grant-recalled',
  'terms-changed',
  'neighbour-asked',
  'newer-schema',
  'older-schema',
] as const;

export type CallFault = (typeof callFaults)[number];
export type EventFault = (typeof eventFaults)[number];
export type Trouble = (typeof troubles)[number];
/** The last three follow from the others and are only counted. */
export type FaultKind = CallFault | EventFault | Trouble | 'write-lost-to-rival' | 'call-timed-out' | 'pass-timed-out';

export const faultKinds: readonly FaultKind[] = [
  ...callFaults,
  ...eventFaults,
  ...troubles,
  'write-lost-to-rival',
  'call-timed-out',
  'pass-timed-out',
];

/** Counts by kind. */
export class FaultCounts {
  readonly #counts = new Map<FaultKind, number>();

  add(kind: FaultKind, times = 1): void {
    this.#counts.set(kind, this.of(kind) + times);
  }

  of(kind: FaultKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  entries(): [FaultKind, number][] {
    return [...this.#counts];
  }
}
