/** What a controller must still know after a restart: a state, and the changes made since. Both survive JSON unchanged. */
import type { Instant, Tokens } from '../shared/domain/model.ts';
import type { Lease } from './leases.ts';
import type { ClusterState } from './reference/cluster.ts';
import type { Job } from './reference/job.ts';
import type { TotalState } from './totals.ts';

/** What the licence server itself counted. */
export interface ObservedCount {
  readonly inUse: Tokens;
  readonly issued: Tokens;
  readonly at: Instant;
}

export interface ControllerState {
  readonly at: Instant;
  readonly controllerEpoch: number;
  /** Of the resources that have had a total update. */
  readonly totals: Readonly<Record<string, TotalState>>;
  readonly leases: Readonly<Record<string, Lease>>;
  readonly observed: Readonly<Record<string, ObservedCount>>;
}

export type Change = { readonly at: Instant } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'total'; readonly resource: string; readonly total: TotalState }
  | { readonly kind: 'lease'; readonly name: string; readonly lease: Lease }
  | { readonly kind: 'observed'; readonly resource: string; readonly count: ObservedCount }
);

/** The reference cluster's jobs are kept as well: it has no scheduler behind it that would. */
export interface ReferenceState extends ControllerState {
  readonly cluster: ClusterState;
}

/** Starts and ends are not among the changes, as they follow from submits and totals. */
export type ReferenceChange =
  Change | { readonly at: Instant; readonly kind: 'submitted'; readonly jobs: readonly Job[] };

/** What was kept: the last state, where one was, and the changes since, oldest first. */
export interface Saved<S, C> {
  readonly state: S | undefined;
  readonly changes: readonly C[];
}
