/** What each kind of change does to a ledger. Only `record` (`ledger.ts`) makes a new version of what comes out. */
import { nextBackoff } from './backoff.ts';
import { phaseOf } from './grants.ts';
import type { Change, Grant, Instant, ResourceLedger, Return } from './model.ts';
import { settle } from './spending.ts';

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;
type GrantChange = Change & { readonly grant: string };

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

/**
 * The ledger with one change made to it; version, target and entry stay for `record`. `at`: when the change is written.
 * Throws `ChangeDoesNotFit`.
 */
export function applyChange(ledger: ResourceLedger, change: Change, at: Instant): ResourceLedger {
  switch (change.kind) {
    case 'opened':
      fits(ledger, change, ledger.version === 0, 'it is open already');
      return { ...ledger, target: { ...ledger.target, owned: change.owned } };
    case 'retarget':
      return { ...ledger, target: { ...ledger.target, owned: change.owned } };
    case 'borrow':
      return add(ledger, change, borrowed(change, at));
    case 'adopted':
      return add(ledger, change, adopted(change, at));
    case 'granted':
      return applyGranted(ledger, change, at);
    case 'refused': {
      const grant = find(ledger, change, 'requested');
      const pause = nextBackoff(ledger.backoffs[grant.provider], at, change.retryAfterSeconds);
      return { ...remove(ledger, grant), backoffs: { ...ledger.backoffs, [grant.provider]: pause } };
    }
    case 'abandoned': {
      const grant = find(ledger, change, 'requested');
      // It may have been lent until now.
      const spending = settle(ledger.spending, { ...grant, settledAt: grant.requestedAt }, grant.tokens, at);
      return { ...remove(ledger, grant), spending };
    }
    case 'renewed': {
      const grant = find(ledger, change, 'lent');
      return replace(ledger, { ...grant, expiresAt: change.sentAt + change.leaseSeconds * 1000 });
    }
    case 'recalled':
      return replace(ledger, { ...find(ledger, change, 'lent'), recall: change.recall });
    case 'withdraw':
      return applyWithdraw(ledger, change, at);
    case 'keep':
      return applyKeep(ledger, change);
    case 'returned':
      return applyReturned(ledger, change, at);
    case 'confirmed': {
      const { epoch, sequence } = change;
      const { target } = ledger;
      fits(ledger, change, epoch === target.epoch && sequence === target.sequence, 'the target is another');
      const grants = ledger.grants.map((grant) => confirmGrant(grant, at));
      return { ...ledger, confirmed: { epoch, sequence, at }, grants };
    }
    case 'unconfirmed': {
      const { confirmed: _lost, ...rest } = ledger;
      return { ...rest, grants: ledger.grants.map(unconfirmGrant) };
    }
  }
}

function borrowed({ grant: id, provider, tokens, terms }: ChangeOf<'borrow'>, at: Instant): Grant {
  return { id, provider, state: 'requested', tokens, requestedAt: at, terms };
}

/** Nobody knows when it was asked for, so its times count from when it was found. */
function adopted({ grant: id, provider, tokens, terms, expiresAt }: ChangeOf<'adopted'>, at: Instant): Grant {
  return {
    id,
    provider,
    state: 'granted',
    tokens,
    requestedAt: at,
    grantedAt: at,
    terms,
    holdUntil: at + terms.minimumHoldSeconds * 1000,
    settledAt: at,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function applyGranted(ledger: ResourceLedger, change: ChangeOf<'granted'>, at: Instant): ResourceLedger {
  const grant = find(ledger, change, 'requested');
  const { tokens, terms, sentAt, receivedAt } = change;
  fits(ledger, change, tokens <= grant.tokens, 'more granted than asked');
  const leaseSeconds = change.expiresInSeconds ?? terms.leaseSeconds;
  const granted = replace(ledger, {
    ...grant,
    state: 'granted',
    tokens,
    terms,
    grantedAt: receivedAt,
    holdUntil: receivedAt + terms.minimumHoldSeconds * 1000,
    // The answer may be late: the provider may count from when it was first asked.
    settledAt: grant.requestedAt,
    ...(leaseSeconds === undefined ? {} : { expiresAt: sentAt + leaseSeconds * 1000 }),
    ...(grant.return && { return: { ...grant.return, tokens } }),
  });
  const { provider } = grant;
  // Less than was asked is a refusal of the rest.
  if (tokens < grant.tokens) {
    return { ...granted, backoffs: { ...ledger.backoffs, [provider]: nextBackoff(ledger.backoffs[provider], at) } };
  }
  if (!(provider in ledger.backoffs)) return granted;
  const { [provider]: _over, ...backoffs } = ledger.backoffs;
  return { ...granted, backoffs };
}

function applyWithdraw(ledger: ResourceLedger, change: ChangeOf<'withdraw'>, at: Instant): ResourceLedger {
  const grant = find(ledger, change);
  const tokens = (grant.return?.tokens ?? 0) + change.tokens;
  fits(ledger, change, tokens <= grant.tokens, 'more withdrawn than lent');
  const going = { id: change.returnId, tokens };
  if (grant.state !== 'requested') return replace(ledger, { ...grant, return: { ...going, phase: 'withdrawing' } });
  fits(ledger, change, tokens === grant.tokens, `grant ${grant.id} is requested`);
  // No total has ever counted it, so none has to be confirmed without it.
  return replace(ledger, { ...grant, return: { ...going, phase: 'returning', confirmedAt: at } });
}

function applyKeep(ledger: ResourceLedger, change: ChangeOf<'keep'>): ResourceLedger {
  const grant = find(ledger, change);
  const tokens = (grant.return?.tokens ?? 0) - change.tokens;
  if (grant.return?.phase !== 'withdrawing' || tokens < 0) {
    throw new ChangeDoesNotFit(ledger.resource, change, 'more kept than was being withdrawn');
  }
  return replace(ledger, withReturn(grant, tokens === 0 ? undefined : { ...grant.return, tokens }));
}

function applyReturned(ledger: ResourceLedger, change: ChangeOf<'returned'>, at: Instant): ResourceLedger {
  const grant = find(ledger, change, 'lent');
  const isOurs = change.elsewhere === undefined;
  fits(ledger, change, !isOurs || phaseOf(grant) === 'returning', 'the controller has confirmed no total without it');
  fits(ledger, change, change.tokens <= grant.tokens, 'more returned than lent');
  const spending = settle(ledger.spending, grant, change.tokens, at);
  const tokens = grant.tokens - change.tokens;
  const rest = tokens === 0 ? remove(ledger, grant) : replace(ledger, withReturn({ ...grant, tokens }, undefined));
  return { ...rest, spending };
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

function fits(ledger: ResourceLedger, change: Change, holds: boolean, why: string): void {
  if (!holds) throw new ChangeDoesNotFit(ledger.resource, change, why);
}

function find(ledger: ResourceLedger, change: GrantChange, expected?: 'requested' | 'lent'): Grant {
  const grant = ledger.grants.find(({ id }) => id === change.grant);
  if (grant === undefined)
    throw new ChangeDoesNotFit(ledger.resource, change, `there is no open grant ${change.grant}`);
  const found = grant.state === 'requested' ? 'requested' : 'lent';
  fits(ledger, change, expected === undefined || found === expected, `grant ${grant.id} is ${phaseOf(grant)}`);
  return grant;
}

function add(ledger: ResourceLedger, change: GrantChange, grant: Grant): ResourceLedger {
  const isNew = ledger.grants.every(({ id }) => id !== grant.id);
  fits(ledger, change, isNew, `there is a grant ${grant.id} already`);
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
