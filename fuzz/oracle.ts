/** Holds every promise against what happens in a run. The first that breaks is kept, since a pass may catch the error. */
import type { LoadedSite } from '../shared/config/load.ts';
import type { PortCall } from '../shared/simulation/port-calls.ts';
import { neverMoreThanLent } from '../test/promises/1-never-more-than-lent.ts';
import { bounded } from '../test/promises/10-bounded.ts';
import { neverTakeBackWhatIsUsed } from '../test/promises/2-never-take-back-what-is-used.ts';
import { oneIdOneGrant } from '../test/promises/3-one-id-one-grant.ts';
import { nothingLost } from '../test/promises/4-nothing-lost.ts';
import { order } from '../test/promises/5-order.ts';
import { capsHold } from '../test/promises/6-caps-hold.ts';
import { staleKnowledgeIsHarmless } from '../test/promises/7-stale-knowledge-is-harmless.ts';
import { AcceptedTotals } from '../test/promises/9-same-totals-live-and-simulated.ts';
import { BrokenWords } from '../test/promises/broken-words.ts';
import type { Check, Run } from '../test/promises/check.ts';
import type { Sight } from '../test/promises/sight.ts';
import { holdsAndParts } from './checks/holds-and-parts.ts';
import { leasesAreBelievedNoLonger } from './checks/leases.ts';
import { losersAreFenced } from './checks/ownership.ts';
import { linger } from './checks/linger.ts';

export class Oracle {
  readonly words = new BrokenWords();
  readonly accepted = new AcceptedTotals();
  /** Seconds by which two clocks of the run may have come to differ. */
  clockErrorSeconds = 0;
  broken: unknown;
  readonly #checks: readonly Check[];
  readonly #look: () => Sight;
  #mostGrants = 0;

  /** `leaseEpoch`: of the lease, as the controller has it now. */
  constructor({ policy, pools }: LoadedSite, look: () => Sight, leaseEpoch: () => number) {
    const clockError = (): number => this.clockErrorSeconds;
    this.#look = look;
    this.#checks = [
      neverMoreThanLent(policy, this.words),
      neverTakeBackWhatIsUsed(policy, this.words),
      oneIdOneGrant(),
      nothingLost(this.words),
      order(this.words),
      capsHold(policy, pools, clockError),
      staleKnowledgeIsHarmless(policy),
      this.accepted,
      bounded(pools.length, policy.resources.length),
      leasesAreBelievedNoLonger(this.words, clockError),
      linger(policy, clockError),
      holdsAndParts(clockError),
      losersAreFenced(leaseEpoch),
    ];
  }

  see(): void {
    const sight = this.#look();
    this.hold((check) => check.seen?.(sight));
  }

  /** Stands around a call that takes effect. */
  async around<Answer>(call: PortCall, effect: () => Promise<Answer>): Promise<Answer> {
    const before = this.#look();
    this.hold((check) => check.called?.(call, before));
    // The controller answers in the turn in which it is asked, so nothing comes between the looks.
    const answering = effect();
    const sent = this.#look();
    const answer = await answering;
    this.hold((check) => check.answered?.({ call, answer, before, sent }));
    this.see();
    return answer;
  }

  /** A write to a ledger took effect, or the record of a pass was kept. */
  happened(call: PortCall): void {
    const sight = this.#look();
    this.hold((check) => check.answered?.({ call, answer: 'written', before: sight, sent: sight }));
    let grants = 0;
    for (const ledger of sight.ledgers.values()) grants += ledger.grants.length;
    this.#mostGrants = Math.max(this.#mostGrants, grants);
  }

  ended(run: Omit<Run, 'mostGrants'>): void {
    const { at } = this.#look();
    this.hold((check) => check.ended?.({ ...run, mostGrants: this.#mostGrants }, at));
  }

  hold(against: (check: Check) => void): void {
    this.attempt(() => this.#checks.forEach(against));
  }

  /** Keeps what `check` throws. */
  attempt(check: () => void): void {
    if (this.broken !== undefined) return;
    try {
      check();
    } catch (error) {
      this.broken = error;
    }
  }
}
