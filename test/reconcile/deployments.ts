import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import type { ResourceLedger } from '../../shared/domain/model.ts';
import type { ReconcilePorts } from '../../shared/reconcile.ts';
import { InProcessController } from '../../shared/simulation/in-process-controller.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import type { LoadedSite } from '../../shared/config/load.ts';
import { Lab } from './lab.ts';

/** A deployment of a site: a ledger, the holder that its functions name, and what its process remembers. */
interface Deployment {
  readonly store: MemoryLedgerStore;
  readonly controller: ReconcilePorts['controller'];
  readonly listedAt: Map<string, number>;
}

/** Deployments of one site side by side, each with a ledger of its own, on the controller and the pools of a lab. */
export class Deployments implements Interception {
  readonly lab: Lab;
  /** Those whose functions run, in the order of their ticks. */
  readonly running = new Set<string>();
  /** What a backup holds that is made after each of the writes. */
  readonly backups: (readonly ResourceLedger[])[] = [];
  readonly #made = new Map<string, Deployment>();

  constructor(site: LoadedSite) {
    this.lab = new Lab(site, { atWorld: [this] });
  }

  /** Its ledger is empty, or what a backup holds. */
  async deploy(holder: string, backup: readonly ResourceLedger[] = []): Promise<void> {
    const store = this.#backedUp(new MemoryLedgerStore());
    for (const ledger of backup) await store.write(undefined, ledger);
    const { clock, controller } = this.lab.world;
    const port = new InProcessController({ controller, clock, holder, ttlSeconds: 240 });
    this.#made.set(holder, { store, controller: port, listedAt: new Map() });
    this.running.add(holder);
  }

  /** The promises are about its ledger from now on, which may not know before `missingUntil` what is lent. */
  watch(holder: string, missingUntil = -Infinity): void {
    const { watch } = this.lab;
    watch.ledger = this.#deployment(holder).store;
    watch.words.missingUntil = missingUntil;
  }

  reconcile: Interception['reconcile'] = async (ports, run) => {
    for (const holder of this.running) {
      const { store, ...own } = this.#deployment(holder);
      await run({ ...ports, ...own, ledger: store });
    }
  };

  push: Interception['push'] = async (ports, run) => {
    for (const holder of this.running) await run({ ...ports, ledger: this.#deployment(holder).store });
  };

  #deployment(holder: string): Deployment {
    const made = this.#made.get(holder);
    if (made === undefined) throw new Error(`${holder} is not deployed`);
    return made;
  }

  #backedUp(store: MemoryLedgerStore): MemoryLedgerStore {
    const write = store.write.bind(store);
    store.write = async (...versions) => {
      const outcome = await write(...versions);
      this.backups.push((await store.read()).ledgers);
      return outcome;
    };
    return store;
  }
}
