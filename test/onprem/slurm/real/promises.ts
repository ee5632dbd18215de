/** The promises, held against what a witness has seen of a site on a real Slurm, and against the records of its parts. */
import type { HistoryEntryAnswer } from '../../../../shared/contracts/status-history.ts';
import { isNewer } from '../../../../shared/domain/ledger.ts';
import { breaker } from '../../../promises/check.ts';
import type { JobRecord } from '../../../slurm-lab/slurm.ts';
import { licence, maxBorrowed, owned, type AcceptedTotal, type SlurmSite } from './site.ts';
import { around, type Testimony } from './witness.ts';

export interface Records {
  readonly testimony: Testimony;
  readonly accepted: readonly AcceptedTotal[];
  readonly history: readonly HistoryEntryAnswer[];
  readonly jobs: readonly JobRecord[];
  /** When slurmctld was killed. */
  readonly forgotAt: readonly number[];
}

export async function recordsOf(site: SlurmSite, testimony: Testimony): Promise<Records> {
  const [accepted, history, jobs] = await Promise.all([site.accepted(), site.history(), site.lab.slurm.records()]);
  return { testimony, accepted, history, jobs, forgotAt: site.forgotAt };
}

/** Throws `PromiseBroken`. */
export function holdPromises(records: Records): void {
  neverMoreThanLent(records);
  neverTakeBackWhatIsUsed(records);
  neverTakeBackWhatJobsHold(records);
  oneIdOneGrant(records);
  nothingLost(records);
  order(records);
  capsHold(records);
}

function neverMoreThanLent({ testimony: { counted, accepted, lent } }: Records): void {
  const broken = breaker(1, 'never more than lent');
  for (const reading of [...counted, ...accepted]) {
    const covered = owned + Math.max(0, ...around(lent, reading).map(sum));
    if (reading.value.total > covered) {
      const kind = 'used' in reading.value ? 'slurmctld shows' : 'the gateway has accepted';
      broken(reading.from, `${kind} a total of ${reading.value.total}, ${covered} are owned or lent`);
    }
  }
  for (const reading of counted) {
    const most = mostAccepted(accepted, reading);
    if (reading.value.total > most) {
      broken(reading.from, `slurmctld shows a total of ${reading.value.total}, the gateway has accepted ${most}`);
    }
  }
}

/** No more is in use than the total that is accepted, and what is given back had left the confirmed total before. */
function neverTakeBackWhatIsUsed({ testimony: { counted, accepted }, history }: Records): void {
  const broken = breaker(2, 'never take back what is used');
  for (const reading of counted) {
    const most = mostAccepted(accepted, reading);
    if (reading.value.used > most) broken(reading.from, `${reading.value.used} are in use of a total of ${most}`);
  }
  let confirmed = owned;
  const held = new Map<string, number>();
  for (const { at, changes, confirmed: isConfirmed, target } of history) {
    for (const change of changes) {
      if (change.kind === 'granted' || change.kind === 'adopted') held.set(change.grant, change.tokens);
      if (change.kind !== 'returned') continue;
      held.set(change.grant, (held.get(change.grant) ?? 0) - change.tokens);
      if (confirmed > owned + sum(held)) {
        broken(Date.parse(at), `${change.grant} was returned when the last confirmed total was ${confirmed}`);
      }
    }
    if (isConfirmed) confirmed = target.total;
  }
}

/**
 * The same by Slurm's accounting, in whole seconds: at the beginning of a second those jobs surely hold their tokens that
 * started in an earlier second and have not ended before. Of what was under way when slurmctld was killed the records
 * are not true: afterwards it takes jobs for running that had ended, and for waiting that had started.
 */
function neverTakeBackWhatJobsHold({ testimony: { accepted }, jobs, forgotAt }: Records): void {
  const broken = breaker(2, 'never take back what is used');
  const runs = jobs.flatMap(({ id, startSeconds, endSeconds, licences }) => {
    if (startSeconds === undefined || endSeconds === undefined) return [];
    const isForgotten = forgotAt.some((at) => startSeconds * 1000 <= at && at < (endSeconds + 1) * 1000);
    return isForgotten ? [] : [{ id, startSeconds, endSeconds, tokens: licences[licence] ?? 0 }];
  });
  for (const second of new Set(runs.map(({ startSeconds }) => startSeconds + 1))) {
    const holding = runs.filter(({ startSeconds, endSeconds }) => startSeconds < second && second <= endSeconds);
    const inUse = holding.reduce((tokens, run) => tokens + run.tokens, 0);
    const at = second * 1000;
    const most = mostAccepted(accepted, { from: at, to: at });
    if (inUse > most) {
      const ids = holding.map(({ id }) => id).join(', ');
      broken(at, `the jobs ${ids} hold ${inUse} of a total of ${most} by accounting`);
    }
  }
}

function oneIdOneGrant({ testimony: { lent } }: Records): void {
  const broken = breaker(3, 'one id, one grant');
  const least = new Map<string, number>();
  for (const { from, value } of lent) {
    for (const id of least.keys()) if (!value.has(id)) least.set(id, 0);
    for (const [id, tokens] of value) {
      const before = least.get(id) ?? tokens;
      if (tokens > before) broken(from, `${tokens} are lent under ${id}, after ${before}`);
      least.set(id, tokens);
    }
  }
}

function nothingLost({ testimony: { lent }, history }: Records): void {
  const broken = breaker(4, 'nothing lost');
  const known = new Set(history.flatMap(({ changes }) => changes.map((each) => ('grant' in each ? each.grant : ''))));
  for (const { from, value } of lent) {
    for (const id of value.keys()) if (!known.has(id)) broken(from, `the ledger has never known ${id}`);
  }
}

function order({ accepted }: Records): void {
  const broken = breaker(5, 'order');
  accepted.slice(1).forEach((total, index) => {
    const last = accepted[index] ?? total;
    const isRepeated = total.epoch === last.epoch && total.sequence === last.sequence && total.total === last.total;
    // A raise is kept twice: before Slurm hears of it, and when Slurm shows it.
    if (!isRepeated && !isNewer(total, last)) {
      broken(0, `(${total.epoch}, ${total.sequence}) was accepted after (${last.epoch}, ${last.sequence})`);
    }
  });
}

function capsHold({ testimony: { lent }, history }: Records): void {
  const broken = breaker(6, 'caps hold');
  for (const { from, value } of lent) {
    if (sum(value) > maxBorrowed) broken(from, `${sum(value)} are lent, at most ${maxBorrowed} may be`);
  }
  // What is asked for counts from the intent on, and less of it only once it is known to be less.
  const asked = new Map<string, number>();
  for (const { at, changes } of history) {
    for (const change of changes) {
      if (change.kind === 'borrow' || change.kind === 'granted' || change.kind === 'adopted') {
        asked.set(change.grant, change.tokens);
      } else if (change.kind === 'refused' || change.kind === 'abandoned') {
        asked.delete(change.grant);
      } else if (change.kind === 'returned') {
        asked.set(change.grant, (asked.get(change.grant) ?? 0) - change.tokens);
      }
    }
    if (sum(asked) > maxBorrowed) broken(Date.parse(at), `${sum(asked)} are asked for, at most ${maxBorrowed} may be`);
  }
}

function mostAccepted(accepted: Testimony['accepted'], moment: { from: number; to: number }): number {
  return Math.max(owned, ...around(accepted, moment).map(({ total }) => total));
}

function sum(tokens: ReadonlyMap<string, number>): number {
  return [...tokens.values()].reduce((total, each) => total + each, 0);
}
