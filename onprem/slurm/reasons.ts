/**
 * What Slurm's reason for a job's waiting says about tokens.
 * - `tokens`: it has too few of them. It may lack nodes as well, or be over a limit on CPUs: tokens are tested first.
 * - `nodes`: it has tokens enough (they were tested first) and lacks nodes.
 * - `untested`: Slurm has not got to it. On an event it tests the first 100 jobs only (default_queue_depth), and none
 *   that stands behind one that lacks nodes in its partition, or with bf_licenses behind one that lacks tokens.
 * - `other`: more tokens would not start it.
 */
export type Verdict = 'tokens' | 'nodes' | 'untested' | 'other';

const verdicts: ReadonlyMap<string, Verdict> = new Map([
  ['Licenses', 'tokens'],
  ['Resources', 'nodes'],
  ['Priority', 'untested'],
  ['None', 'untested'],
]);

/**
 * All other reasons are `other`. Of those in Slurm's list (its page "Job Reason Codes" and job_state_reason.c):
 * - limits: Assoc*, Association*, QOS*, Max*PerAccount, MaxMemPerLimit, AccountingPolicy, JobArrayTaskLimit
 * - not yet: BeginTime, Dependency, Reservation, Cleaning, Prolog, FedJobLock, SchedDefer, BurstBuffer*
 * - not without a person: JobHeldUser, JobHeldAdmin, JobHoldMaxRequeue, DependencyNeverSatisfied, ReservationDeleted,
 *   ReservationInvalid, BadConstraints, Constraints, InvalidAccount, InvalidQOS, AccountNotAllowed
 * - nodes: PartitionDown, PartitionInactive, PartitionNodeLimit, PartitionTimeLimit, PartitionConfig, ReqNodeNotAvail,
 *   NodeDown, FrontEndDown, PowerNotAvail, PowerReserved
 * - failed or ended: DeadLine, InactiveLimit, JobLaunchFailure, NonZeroExitCode, OutOfMemory, RaisedSignal, SystemFailure,
 *   TimeLimit
 *
 * So are sentences, which Slurm shows in place of a reason ("Nodes required for job are DOWN, DRAINED or reserved ...",
 * "job requeued in held state"), and words of later versions: too little is borrowed rather than too much.
 */
export function verdictOf(reason: string): Verdict {
  return verdicts.get(reason) ?? 'other';
}
