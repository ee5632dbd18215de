/** Brings a ledger in line with what has changed around it: the site file, the controller, the providers. */
import { isConfirmed, isNewer, isSame, totalOf } from './ledger.ts';
import type { Change, ObservedResource } from './model.ts';
import { compareWithList, dropWhatIsGone, grantWhatIsLent, type ListByResource } from './provider-lists.ts';
import type { Alarm, Draft, Situation } from './situation.ts';
import { count } from './words.ts';

/** Where upkeep says what it finds. */
export interface Findings {
  /** Makes a change to the draft's ledger. */
  readonly make: (change: Change) => void;
  readonly alarm: (alarm: Alarm) => void;
  /** This provider's list must be read before this resource is decided. */
  readonly needList: (provider: string) => void;
}

/** Answers whether the resource can be decided further in this pass. */
export function upkeep(
  draft: Draft,
  situation: Situation,
  lists: readonly ListByResource[],
  findings: Findings,
): boolean {
  const { policy, ledger, observed } = draft;
  const behind = observed !== undefined && isNewer(observed, ledger.target);
  if (behind && !mayCatchUp(draft, observed, situation, findings)) return false;
  if (ledger.version === 0) {
    findings.make({ kind: 'opened', owned: policy.owned, reason: `the site owns ${count(policy.owned, 'token')}` });
  } else if (ledger.target.owned !== policy.owned) {
    const reason = `the site file says ${policy.owned} owned, it was ${ledger.target.owned}`;
    findings.make({ kind: 'retarget', owned: policy.owned, afterSequence: 0, reason });
  }
  if (behind) {
    for (const list of lists) {
      grantWhatIsLent(draft, list, situation.now, findings);
      dropWhatIsGone(draft, list, findings);
    }
  }
  for (const list of lists) compareWithList(draft, list, findings);
  if (behind) {
    const reason = `the controller has accepted ${shown(observed)}, newer than this ledger; all providers have been asked`;
    // What this ledger had confirmed may be counted again by a total that it never wrote.
    if (ledger.version > 0) findings.make({ kind: 'unconfirmed', reason });
    const afterSequence = observed.epoch === situation.epoch ? observed.sequence : 0;
    findings.make({ kind: 'retarget', owned: policy.owned, afterSequence, reason });
  } else compareWithController(draft, situation, findings);
  return true;
}

function shown({ epoch, sequence }: ObservedResource): string {
  return `(epoch ${epoch}, sequence ${sequence})`;
}

/** Old grants may have ended since, so no total may be built on them before each provider has been asked. */
function mayCatchUp(
  { policy, ledger }: Draft,
  observed: ObservedResource,
  { epoch, lists }: Situation,
  findings: Findings,
): boolean {
  findings.alarm({
    name: 'ledger-behind',
    message: `${policy.resource}: the controller has accepted ${shown(observed)}, which this ledger never wrote; was it restored from a backup?`,
  });
  const lenders = new Set([...policy.providers, ...ledger.grants.map(({ provider }) => provider)]);
  const unread = [...lenders].filter((name) => !lists.some(({ provider }) => provider === name));
  unread.forEach((provider) => findings.needList(provider));
  // No target of ours can be newer than an epoch beyond our lease.
  return unread.length === 0 && observed.epoch <= epoch;
}

function compareWithController(draft: Draft, { epoch }: Situation, findings: Findings): void {
  const { policy, observed, ledger } = draft;
  if (observed === undefined) return;
  if (ledger.confirmed !== undefined && isNewer(ledger.confirmed, observed)) {
    const reason = `the controller shows ${shown(observed)}, older than what it had confirmed`;
    findings.alarm({ name: 'controller-fell-back', message: `${policy.resource}: ${reason}` });
    findings.make({ kind: 'unconfirmed', reason });
  } else if (isSame(observed, ledger.target) && observed.total > totalOf(ledger.target)) {
    const message = `${policy.resource}: the controller applies ${observed.total} although it accepted ${totalOf(ledger.target)}`;
    findings.alarm({ name: 'controller-exceeds-total', message });
  }
  if (ledger.version > 0 && !isConfirmed(ledger) && ledger.target.epoch < epoch) {
    const reason = `the lease has moved on to epoch ${epoch} before the total was confirmed`;
    findings.make({ kind: 'retarget', owned: policy.owned, afterSequence: 0, reason });
  }
}
