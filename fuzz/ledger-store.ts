import { DynamoLedgerStore } from '../shared/adapters/dynamodb/ledger-store.ts';
import type { ResourceLedger } from '../shared/domain/model.ts';
import type { PassRecord } from '../shared/domain/pass-record.ts';
import type { SiteRecord, WriteOutcome } from '../shared/ports.ts';
import type { PortCall } from '../shared/simulation/port-calls.ts';
import { clientOf, type TableCommand } from './table.ts';

export interface LedgerAccess {
  readonly site: string;
  send(command: TableCommand): Promise<unknown>;
  /** Passes are kept beside the table: packing them takes threads, whose order no seed determines. */
  keepPass(record: PassRecord): Promise<void>;
  passOf(id: string): PassRecord | undefined;
  /** Told of what is asked of the store, before it is done. */
  note(call: PortCall): void;
}

/** The real ledger over a simulated table. */
export class SimulatedLedgerStore extends DynamoLedgerStore {
  readonly #access: LedgerAccess;

  constructor(access: LedgerAccess) {
    super({ client: clientOf((command) => access.send(command)), table: 'site', site: access.site });
    this.#access = access;
  }

  override read(): Promise<SiteRecord> {
    this.#access.note({ method: 'read', arguments: [] });
    return super.read();
  }

  override write(previous: ResourceLedger | undefined, next: ResourceLedger): Promise<WriteOutcome> {
    this.#access.note({ method: 'write', arguments: [previous, next] });
    return super.write(previous, next);
  }

  override async recordPass(record: PassRecord): Promise<void> {
    await this.#access.keepPass(record);
  }

  override async pass(id: string): Promise<PassRecord | undefined> {
    return this.#access.passOf(id);
  }
}
