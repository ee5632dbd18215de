/** The pass and the push in miniature: the pure core between a cluster and lenders, with answers that get lost. */
import assert from 'node:assert/strict';
import { callsDue, type ProviderCall } from '../../shared/domain/calls.ts';
import { decide } from '../../shared/domain/decide.ts';
import { countedTokens, heldTokens, phaseOf, sumTokens } from '../../shared/domain/grants.ts';
import { emptyLedger, isConfirmed, record } from '../../shared/domain/ledger.ts';
import type { Change, HistoryEntry, Instant, ResourceLedger, SitePolicy } from '../../shared/domain/model.ts';
import {
  afterAbandon,
  afterGiveBack,
  afterPush,
  afterRenew,
  afterRequest,
  type TotalOutcome,
} from '../../shared/domain/outcomes.ts';
import type { Decision, Situation } from '../../shared/domain/situation.ts';
import { totalUpdate } from '../../shared/push-totals.ts';
import { noon, second } from './builders.ts';
import { Cluster } from './cluster.ts';
import type { Lender } from './lender.ts';

/** What becomes of a call: it is answered, its answer gets lost, or it never arrives. */
export type Fate = 'answered' | 'unanswered' | 'lost';
const unknown = { outcome: 'unknown', detail: 'timed out' } as const;

/** Deals out the fates of the calls of one step; all are answered once they are used up. */
export class Fates {
  readonly #left: Fate[];
  constructor(fates: readonly Fate[]) {
    this.#left = [...fates];
  }
  call<Outcome>(make: () => Outcome): Outcome | typeof unknown {
    const fate = this.#left.shift() ?? 'answered';
    if (fate === 'lost') return unknown;
    const outcome = make();
    return fate === 'answered' ? outcome : unknown;
  }
}

export class World {
  now: Instant = noon;
  /** Writes so far. */
  writes = 0;
  readonly ledgers = new Map<string, ResourceLedger>();
  readonly cluster: Cluster;
  readonly policy: SitePolicy;
  readonly lenders: readonly Lender[];

  constructor(policy: SitePolicy, lenders: readonly Lender[]) {
    this.policy = policy;
    this.lenders = lenders;
    this.cluster = new Cluster(
      Object.fromEntries(policy.resources.map(({ resource, owned }) => [resource, owned])),
      this.now,
    );
  }

  wait(seconds: number): void {
    this.now += seconds * second;
    for (const lender of this.lenders) lender.expire(this.now);
    this.cluster.schedule(this.now);
  }

  situation(unreachable: readonly string[] = []): Situation {
    const { now } = this;
    const reachable = this.lenders.filter(({ name }) => !unreachable.includes(name));
    return {
      now,
      epoch: 1,
      ledgers: [...this.ledgers.values()],
      providers: this.lenders.map(({ name, offers }) => ({
        provider: name,
        version: 1,
        description: { provider: name, revision: '1', offers },
        describedAt: now,
      })),
      lists: reachable.map((lender) => lender.list(now)),
      unreachable,
      observation: this.cluster.observe(now),
    };
  }

  pass(fates: Fates, unreachable: readonly string[] = []): Decision {
    const situation = this.situation(unreachable);
    const decision = decide(situation, this.policy);
    for (const { resource, changes } of decision.resources) this.#write(resource, changes, 'decide');
    for (const policy of this.policy.resources) {
      const ledger = this.ledgers.get(policy.resource);
      if (ledger === undefined) continue;
      const changes = callsDue(ledger, policy, situation)
        .filter(({ grant }) => !unreachable.includes(grant.provider))
        .flatMap((call) => this.#perform(call, policy.resource, fates) ?? []);
      this.#write(policy.resource, changes, 'provider');
    }
    return decision;
  }

  push(fates: Fates): void {
    for (const ledger of this.ledgers.values()) {
      if (isConfirmed(ledger)) continue;
      const update = totalUpdate(ledger, this.now);
      const outcome = fates.call<TotalOutcome>(() => this.cluster.setTotal(update, this.now));
      this.#write(ledger.resource, afterPush(ledger, outcome), 'controller');
    }
  }

  #perform({ kind, grant }: ProviderCall, resource: string, fates: Fates): Change | undefined {
    const lender = this.lenders.find(({ name }) => name === grant.provider);
    if (lender === undefined) throw new Error(`no provider ${grant.provider}`);
    const { now } = this;
    const times = { sentAt: now, receivedAt: now };
    const request = () => {
      const outcome = fates.call(() => lender.request(grant.id, resource, grant.tokens, now));
      return afterRequest(grant, outcome, times);
    };
    if (kind === 'request') return request();
    if (kind === 'renew') {
      const outcome = fates.call(() => lender.renew(grant.id, now));
      return afterRenew(grant, outcome, times);
    }
    const { id = `${grant.id}.a`, tokens = grant.tokens } = grant.return ?? {};
    const outcome = fates.call(() => lender.giveBack(grant.id, id, tokens, now));
    if (kind === 'giveBack') return afterGiveBack(grant, outcome);
    return outcome.outcome === 'refused' ? request() : afterAbandon(grant, outcome);
  }

  #write(resource: string, changes: readonly Change[], by: HistoryEntry['by']): void {
    if (changes.length === 0) return;
    const previous = this.ledgers.get(resource) ?? emptyLedger(resource, this.now);
    this.ledgers.set(resource, record(previous, changes, { at: this.now, by, pass: '', epoch: 1 }));
    this.writes += 1;
  }

  /** The promises that hold at every instant; throws where one is broken. */
  check(): void {
    for (const { resource, owned, maxBorrowed } of this.policy.resources) {
      const lent = this.lenders.reduce((sum, lender) => sum + lender.lent(resource), 0);
      const inUse = this.cluster.inUse(resource);
      const total = this.cluster.total(resource, this.now);
      assert.ok(inUse <= total, `${inUse} ${resource} in use of ${total}`);
      // A grant may end while its tokens are in use; nothing can be taken from running jobs.
      const mayEnd = this.lenders.some(({ offers }) => offers.some(({ leaseSeconds }) => leaseSeconds !== undefined));
      const most = mayEnd ? Math.max(owned + lent, inUse) : owned + lent;
      assert.ok(total <= most, `the total of ${resource} is ${total}, owned and lent are ${owned + lent}`);
      assert.ok(lent <= maxBorrowed, `${lent} ${resource} lent, at most ${maxBorrowed} may be`);

      const ledger = this.ledgers.get(resource);
      if (ledger === undefined) continue;
      const held = sumTokens(ledger.grants, heldTokens);
      assert.ok(held <= maxBorrowed, `${held} ${resource} held, at most ${maxBorrowed} may be`);
      assert.equal(ledger.target.borrowed, sumTokens(ledger.grants, countedTokens), `the target of ${resource}`);
      assert.equal(ledger.target.owned, owned);
      this.#checkTokens(ledger);
    }
  }

  /** No token is lent that no ledger holds, and none is held that nobody lends. */
  #checkTokens({ resource, grants }: ResourceLedger): void {
    for (const lender of this.lenders) {
      for (const loan of lender.loans.values()) {
        if (loan.resource !== resource || loan.endsAt <= this.now) continue;
        const grant = grants.find(({ id }) => id === loan.id);
        const held = grant?.tokens ?? 0;
        assert.ok(held >= loan.tokens, `${loan.tokens} lent under ${loan.id}, ${held} held`);
        const settled = grant !== undefined && !['requested', 'returning'].includes(phaseOf(grant));
        if (settled) assert.equal(loan.tokens, held, `lent under ${loan.id}`);
      }
    }
  }
}
