/**
 * The life of a ledger: what each change does to it. `record` is the only way from one version to the next, so the
 * history of changes is the ledger: a replay folds them and must arrive at the same totals.
 */
import { countedTokens, phaseOf, sumTokens } from './grants.ts';
import { backoffSeconds, maxBackoffSeconds, maxReasonLength, maxRetryAfterSeconds } from './limits.ts';
import type { Backoff, Change, Grant, HistoryEntry, Instant, ResourceLedger, Return, Tokens } from './model.ts';
import { settle } from './spending.ts';

/** Who writes, when, and under which lease. */
export type Stamp = Pick<HistoryEntry, 'at' | 'by' | 'pass' | 'epoch'>;

/** A change that does not fit the ledger it is applied to: a fault in this program, or history that was tampered with. */
export class ChangeDoesNotFit extends Error {
  readonly resource: string;
  readonly change: Change;
  constructor(resource: string, change: Change, why: string) {
    super(`applying '${change.kind}' to the ledger of ${resource}: ${why}`);
    this.name = 'ChangeDoesNotFit';
    this.resource = resource;
    this.change = change;
  }
}

/** A ledger before its first write. */
export function emptyLedger(resource: string, at: Instant): ResourceLedger {
  const target = { owned: 0, borrowed: 0, epoch: 0, sequence: 0 };
  return {
    resource,
    version: 0,
    grants: [],
    target,
    backoffs: {},
    spending: { day: 0, month: 0, at },
    lastEntry: { resource, version: 0, at, by: 'decide', pass: '', epoch: 0, changes: [], target, confirmed: false },
  };
}

/** The controller has confirmed the total that the ledger wants. */
export function isConfirmed(ledger: ResourceLedger): boolean {
  const { confirmed, target } = ledger;
  return confirmed !== undefined && confirmed.epoch === target.epoch && confirmed.sequence === target.sequence;
}

/** Total update order: by epoch, then by sequence. */
export function isNewer(
  a: { readonly epoch: number; readonly sequence: number },
  b: { readonly epoch: number; readonly sequence: number },
): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence > b.sequence);
}

/** Changes after which the controller must be told even if the numbers stay: a new epoch, or another expiry. */
const restamps: ReadonlySet<Change['kind']> = new Set([
  'opened',
  'retarget',
  'renewed',
  'granted',
  'adopted',
  'withdraw',
  'keep',
]);

/** The next version of a ledger. The version becomes the target's sequence where the target changed. */
export function record(previous: ResourceLedger, changes: readonly Change[], stamp: Stamp): ResourceLedger {
  let draft = previous;
  let after = previous.version;
  let restamped = false;
  for (const change of changes) {
    draft = applyChange(draft, change, stamp.at);
    restamped ||= restamps.has(change.kind);
    if (change.kind === 'retarget') after = Math.max(after, change.afterSequence);
  }
  const version = after + 1;
  const borrowed = sumTokens(draft.grants, countedTokens);
  const target =
    restamped || borrowed !== previous.target.borrowed
      ? { owned: draft.target.owned, borrowed, epoch: Math.max(stamp.epoch, previous.target.epoch), sequence: version }
      : draft.target;
  const last = changes.at(-1);
  const because = stamp.by === 'decide' && last !== undefined ? { at: stamp.at, reason: last.reason } : draft.because;
  const next = { ...draft, version, target, ...(because && { because }) };
  const entry: HistoryEntry = {
    resource: previous.resource,
    version,
    ...stamp,
    changes: changes.map((change) => ({ ...change, reason: change.reason.slice(0, maxReasonLength) })),
    target,
    confirmed: isConfirmed(next),
  };
  return { ...next, lastEntry: entry };
}

/** The ledger with one change made to it; version, target and entry stay for `record`. */
export function applyChange(ledger: ResourceLedger, change: Change, at: Instant): ResourceLedger {
  switch (change.kind) {
    case 'opened':
      fits(ledger, change, ledger.version === 0, 'it is open already');
      return { ...ledger, target: { ...ledger.target, owned: change.owned } };
    case 'retarget':
      return { ...ledger, target: { ...ledger.target, owned: change.owned } };
    case 'borrow':
      return withNew(ledger, change, {
        id: change.grant,
        provider: change.provider,
        state: 'requested',
        tokens: change.tokens,
        requestedAt: at,
        terms: change.terms,
      });
    case 'adopted':
      return withNew(ledger, change, {
        id: change.grant,
        provider: change.provider,
        state: 'granted',
        tokens: change.tokens,
        requestedAt: at,
        grantedAt: at,
        terms: change.terms,
        holdUntil: at + change.terms.minimumHoldSeconds * 1000,
        settledAt: at,
        ...(change.expiresAt === undefined ? {} : { expiresAt: change.expiresAt }),
      });
    case 'granted': {
      const grant = find(ledger, change, 'requested');
      if (change.tokens > grant.tokens) throw new ChangeDoesNotFit(ledger.resource, change, 'more granted than asked');
      const { minimumHoldSeconds } = change.terms;
      const leaseSeconds = change.expiresInSeconds ?? change.terms.leaseSeconds;
      const granted = replace(ledger, {
        ...grant,
        state: 'granted',
        tokens: change.tokens,
        terms: change.terms,
        grantedAt: change.receivedAt,
        holdUntil: change.receivedAt + minimumHoldSeconds * 1000,
        // The answer may be late: the provider may count from when it was first asked.
        settledAt: grant.requestedAt,
        ...(leaseSeconds === undefined ? {} : { expiresAt: change.sentAt + leaseSeconds * 1000 }),
        ...(grant.return && { return: { ...grant.return, tokens: change.tokens } }),
      });
      if (change.tokens < grant.tokens) {
        return { ...granted, backoffs: { ...ledger.backoffs, [grant.provider]: backoff(ledger, grant.provider, at) } };
      }
      return grant.provider in ledger.backoffs
        ? { ...granted, backoffs: without(ledger.backoffs, grant.provider) }
        : granted;
    }
    case 'refused': {
      const grant = find(ledger, change, 'requested');
      const pause = backoff(ledger, grant.provider, at, change.retryAfterSeconds);
      return { ...remove(ledger, grant), backoffs: { ...ledger.backoffs, [grant.provider]: pause } };
    }
    case 'abandoned': {
      const grant = find(ledger, change, 'requested');
      // It may have been lent until now.
      const spending = settle(ledger.spending, { ...grant, settledAt: grant.requestedAt }, grant.tokens, at);
      return { ...remove(ledger, grant), spending };
    }
    case 'renewed':
      return replace(ledger, {
        ...find(ledger, change, 'lent'),
        expiresAt: change.sentAt + change.leaseSeconds * 1000,
      });
    case 'recalled':
      return replace(ledger, { ...find(ledger, change, 'lent'), recall: change.recall });
    case 'withdraw': {
      const grant = find(ledger, change);
      const tokens = (grant.return?.tokens ?? 0) + change.tokens;
      if (tokens > grant.tokens) throw new ChangeDoesNotFit(ledger.resource, change, 'more withdrawn than lent');
      if (grant.state === 'requested') {
        fits(ledger, change, tokens === grant.tokens, `grant ${grant.id} is requested`);
        // No total has ever counted it, so none has to be confirmed without it.
        return replace(ledger, {
          ...grant,
          return: { id: change.returnId, tokens, phase: 'returning', confirmedAt: at },
        });
      }
      return replace(ledger, { ...grant, return: { id: change.returnId, tokens, phase: 'withdrawing' } });
    }
    case 'keep': {
      const grant = find(ledger, change);
      const tokens = (grant.return?.tokens ?? 0) - change.tokens;
      if (grant.return?.phase !== 'withdrawing' || tokens < 0) {
        throw new ChangeDoesNotFit(ledger.resource, change, 'more kept than was being withdrawn');
      }
      return replace(ledger, withReturn(grant, tokens === 0 ? undefined : { ...grant.return, tokens }));
    }
    case 'returned': {
      const grant = find(ledger, change, 'lent');
      fits(ledger, change, phaseOf(grant) === 'returning', 'the controller has confirmed no total without it');
      fits(ledger, change, change.tokens <= grant.tokens, 'more returned than lent');
      const spending = settle(ledger.spending, grant, change.tokens, at);
      const left = grant.tokens - change.tokens;
      const rest =
        left === 0 ? remove(ledger, grant) : replace(ledger, withReturn({ ...grant, tokens: left }, undefined));
      return { ...rest, spending };
    }
    case 'confirmed':
      fits(
        ledger,
        change,
        change.epoch === ledger.target.epoch && change.sequence === ledger.target.sequence,
        'the target is another',
      );
      return {
        ...ledger,
        confirmed: { epoch: change.epoch, sequence: change.sequence, at },
        grants: ledger.grants.map((grant) => confirmGrant(grant, at)),
      };
    case 'unconfirmed': {
      const { confirmed: _lost, ...rest } = ledger;
      return { ...rest, grants: ledger.grants.map(unconfirmGrant) };
    }
  }
}

/** The controller applies a total that counts what is lent and leaves out what is withdrawn. */
function confirmGrant(grant: Grant, at: Instant): Grant {
  const active: Grant = grant.state === 'granted' ? { ...grant, state: 'active' } : grant;
  if (active.return === undefined || active.return.confirmedAt !== undefined) return active;
  return { ...active, return: { ...active.return, phase: 'returning', confirmedAt: at } };
}

/** The controller fell back to an older total: nothing more goes to a provider before it has confirmed again. */
function unconfirmGrant(grant: Grant): Grant {
  const granted: Grant = grant.state === 'active' ? { ...grant, state: 'granted' } : grant;
  if (granted.return === undefined) return granted;
  const { confirmedAt: _lost, ...unconfirmed } = granted.return;
  return { ...granted, return: unconfirmed };
}

function backoff(ledger: ResourceLedger, provider: string, at: Instant, retryAfterSeconds = 0): Backoff {
  const refusals = (ledger.backoffs[provider]?.refusals ?? 0) + 1;
  const own = Math.min(maxBackoffSeconds, backoffSeconds * 2 ** Math.min(refusals - 1, 20));
  const pause = Math.max(own, Math.min(retryAfterSeconds, maxRetryAfterSeconds));
  return { until: at + pause * 1000, refusals };
}

function fits(ledger: ResourceLedger, change: Change, holds: boolean, why: string): void {
  if (!holds) throw new ChangeDoesNotFit(ledger.resource, change, why);
}

function find(
  ledger: ResourceLedger,
  change: Change & { readonly grant: string },
  expected?: 'requested' | 'lent',
): Grant {
  const grant = ledger.grants.find(({ id }) => id === change.grant);
  if (grant === undefined)
    throw new ChangeDoesNotFit(ledger.resource, change, `there is no open grant ${change.grant}`);
  const found = grant.state === 'requested' ? 'requested' : 'lent';
  fits(ledger, change, expected === undefined || found === expected, `grant ${grant.id} is ${phaseOf(grant)}`);
  return grant;
}

function withNew(ledger: ResourceLedger, change: Change & { readonly grant: string }, grant: Grant): ResourceLedger {
  if (ledger.grants.some(({ id }) => id === grant.id)) {
    throw new ChangeDoesNotFit(ledger.resource, change, `there is a grant ${grant.id} already`);
  }
  return { ...ledger, grants: [...ledger.grants, grant] };
}

function replace(ledger: ResourceLedger, grant: Grant): ResourceLedger {
  return { ...ledger, grants: ledger.grants.map((other) => (other.id === grant.id ? grant : other)) };
}

function remove(ledger: ResourceLedger, grant: Grant): ResourceLedger {
  return { ...ledger, grants: ledger.grants.filter(({ id }) => id !== grant.id) };
}

function withReturn(grant: Grant, next: Return | undefined): Grant {
  const { return: _before, ...rest } = grant;
  return next === undefined ? rest : { ...rest, return: next };
}

function without(backoffs: Readonly<Record<string, Backoff>>, provider: string): Readonly<Record<string, Backoff>> {
  const { [provider]: _gone, ...rest } = backoffs;
  return rest;
}

export function totalOf(target: { readonly owned: Tokens; readonly borrowed: Tokens }): Tokens {
  return target.owned + target.borrowed;
}
