/** Holds every promise against all that happens at a simulated site. */
import type { LoadedSite } from '../../shared/config/load.ts';
import { aroundPush, aroundReconcile, type Around, type PortCall } from '../../shared/simulation/port-calls.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { neverMoreThanLent } from './1-never-more-than-lent.ts';
import { bounded } from './10-bounded.ts';
import { neverTakeBackWhatIsUsed } from './2-never-take-back-what-is-used.ts';
import { oneIdOneGrant } from './3-one-id-one-grant.ts';
import { nothingLost } from './4-nothing-lost.ts';
import { order } from './5-order.ts';
import { capsHold } from './6-caps-hold.ts';
import { staleKnowledgeIsHarmless } from './7-stale-knowledge-is-harmless.ts';
import { AcceptedTotals } from './9-same-totals-live-and-simulated.ts';
import { BrokenWords } from './broken-words.ts';
import type { Check } from './check.ts';
import { countCalls } from './count-calls.ts';
import { look, type Sight, type VisibleWorld } from './sight.ts';
import { Story } from './story.ts';

type Ports<Kind extends keyof Interception> = Parameters<Interception[Kind]>[0];

export class Watch implements Interception {
  readonly words = new BrokenWords();
  readonly accepted = new AcceptedTotals();
  readonly story = new Story();
  readonly #checks: readonly Check[];
  readonly #site: LoadedSite;
  #world: VisibleWorld | undefined;
  /** The ledger that counts; absent: the world's. */
  ledger?: VisibleWorld['store'];
  #broken: unknown;
  /** Most grants that were open at once so far. */
  #mostGrants = 0;
  /** Stands at the other end, next to the passes: it sees what each of them asks for, whatever comes of it. */
  readonly passes = countCalls((run, at) =>
    this.#hold((check) => check.ended?.({ ...run, mostGrants: this.#mostGrants }, at)),
  );

  constructor(site: LoadedSite) {
    const { policy, pools } = site;
    this.#site = site;
    this.#checks = [
      neverMoreThanLent(policy, this.words),
      neverTakeBackWhatIsUsed(policy, this.words),
      oneIdOneGrant(),
      nothingLost(this.words),
      order(this.words),
      capsHold(policy, pools),
      staleKnowledgeIsHarmless(policy),
      this.accepted,
      bounded(pools.length, policy.resources.length),
    ];
  }

  attach(world: VisibleWorld): void {
    this.#world = world;
  }

  reconcile(ports: Ports<'reconcile'>, run: (ports: Ports<'reconcile'>) => Promise<unknown>): Promise<unknown> {
    return run(aroundReconcile(ports, this.#around));
  }

  push(ports: Ports<'push'>, run: (ports: Ports<'push'>) => Promise<unknown>): Promise<unknown> {
    return run(aroundPush(ports, this.#around));
  }

  /** Looks at the world, and throws where a promise is broken now or was before (a pass may have caught the error). */
  async look(): Promise<Sight> {
    const world = this.#attached();
    const sight = await look(world, this.ledger ?? world.store, this.#site.policy);
    const open = [...sight.ledgers.values()].reduce((sum, { grants }) => sum + grants.length, 0);
    this.#mostGrants = Math.max(this.#mostGrants, open);
    this.#hold((check) => check.seen?.(sight));
    return sight;
  }

  readonly #around: Around = async (call, effect) => {
    // All begun in one turn, so that nothing happens between the looks but the call.
    const looking = this.look();
    const answering = effect();
    const [before, sent, answer] = await Promise.all([
      looking.then((sight) => this.#called(call, sight)),
      this.look(),
      this.story.tell(this.#attached().clock.now(), call, answering),
    ]);
    this.#hold((check) => check.answered?.({ call, answer, before, sent }));
    await this.look();
    return answer;
  };

  #attached(): VisibleWorld {
    if (this.#world === undefined) throw new Error('watching: attach a site first');
    return this.#world;
  }

  #called(call: PortCall, sight: Sight): Sight {
    this.#hold((check) => check.called?.(call, sight));
    return sight;
  }

  #hold(against: (check: Check) => void): void {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      this.#checks.forEach(against);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }
}
