import { ReferenceController } from '../../onprem/controller.ts';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { emptyLedger, record, type Stamp } from '../../shared/domain/ledger.ts';
import type { Change, ElasticPolicy, GrantTerms, ResourceLedger, SitePolicy } from '../../shared/domain/model.ts';
import type { HistoryStore, LedgerStore } from '../../shared/ports.ts';
import { totalUpdate } from '../../shared/push-totals.ts';
import { SiteStatus } from '../../shared/status/site-status.ts';
import { TestClock } from './test-clock.ts';

export const terms: GrantTerms = { block: 8, minimumHoldSeconds: 3_600, partialReturns: true, costPerTokenHour: 0.5 };

/** `hfsshpc` is elastic and owns 100; `vcs_runtime@flex1` is fixed at 20. */
export class TestSite {
  readonly clock = new TestClock();
  readonly controller = new ReferenceController({ config: controllerConfig, now: this.clock.now() });
  readonly store: LedgerStore & HistoryStore;
  readonly status: SiteStatus;
  readonly warnings: string[] = [];
  controllerAnswers = true;
  looks = 0;

  constructor(store: LedgerStore & HistoryStore = new MemoryLedgerStore()) {
    this.store = store;
    this.status = new SiteStatus({
      store: this.store,
      controller: {
        observe: async (peakWindowSeconds) => {
          this.looks += 1;
          if (!this.controllerAnswers) throw new Error('the line is cut');
          return this.controller.observe(peakWindowSeconds, this.clock.now());
        },
      },
      policy,
      fixed: [{ resource: 'vcs_runtime@flex1', total: 20 }],
      clock: this.clock,
      log: { info: () => {}, warn: (message) => void this.warnings.push(message), alarm: () => {} },
    });
  }

  /** One write to the ledger of hfsshpc, a second after the last one. */
  async write(...changes: Change[]): Promise<ResourceLedger> {
    this.clock.advance(1_000);
    const previous = (await this.store.read()).ledgers.find(({ resource }) => resource === 'hfsshpc');
    const at = this.clock.now();
    const stamp: Stamp = { at, by: 'decide', pass: 'pass-1', epoch: 1 };
    const next = record(previous ?? emptyLedger('hfsshpc', at), changes, stamp);
    await this.store.write(previous, next);
    return next;
  }

  /** The controller applies what the ledger wants, and the ledger learns of it. */
  async push(): Promise<void> {
    const ledger = await this.write();
    this.controller.setTotal(totalUpdate(ledger, this.clock.now()), this.clock.now());
    const { epoch, sequence } = ledger.target;
    await this.write({ kind: 'confirmed', epoch, sequence, reason: 'the controller applies it' });
  }

  async open(): Promise<void> {
    await this.write({ kind: 'opened', owned: 100, reason: 'first pass' });
    await this.push();
  }

  async borrow(grant: string, tokens: number): Promise<void> {
    await this.write({ kind: 'borrow', grant, provider: 'pool', tokens, terms, reason: `${tokens} for a job` });
  }

  async granted(grant: string, tokens: number, changes: Partial<GrantTerms> = {}): Promise<void> {
    const at = this.clock.now();
    await this.write({
      kind: 'granted',
      grant,
      tokens,
      terms: { ...terms, ...changes },
      sentAt: at,
      receivedAt: at,
      reason: `pool lends ${tokens}`,
    });
  }

  async withdraw(grant: string, tokens: number): Promise<void> {
    await this.write({ kind: 'withdraw', grant, returnId: `${grant}.r`, tokens, reason: 'unused' });
  }
}

const elastic: ElasticPolicy = {
  resource: 'hfsshpc',
  owned: 100,
  providers: ['pool', 'vendor'],
  providerOrder: 'listed',
  maxBorrowed: 200,
  maxStep: 200,
  borrowAfterSeconds: 60,
  returnAfterSeconds: 600,
  headroom: 0,
  lingerSeconds: 0,
  onStale: 'keep',
  staleAfterSeconds: 600,
};

const policy: SitePolicy = { site: 'munich', resources: [elastic] };

const controllerConfig = {
  site: 'munich',
  backfill: true,
  resources: [
    { name: 'hfsshpc', owned: 100, ceiling: 300, elastic: true },
    { name: 'vcs_runtime@flex1', owned: 20, ceiling: 20, elastic: false },
  ],
};
