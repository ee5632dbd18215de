import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { DynamoLedgerStore } from '../adapters/dynamodb/ledger-store.ts';
import type { LoadedSite } from '../config/load.ts';
import type { HistoryStore } from '../ports.ts';
import { confirmedTotals, type TotalStep } from '../status/totals.ts';
import { siteTable } from './local-site.ts';

/** The ledger that an earlier run of the site has left, in the engine that `environment` names. */
export function localLedger({ policy }: LoadedSite, environment: Readonly<Record<string, string>>): DynamoLedgerStore {
  return new DynamoLedgerStore({ client: dynamoClient(environment), table: siteTable(policy.site), site: policy.site });
}

/** The totals of each elastic resource over time, as the controller confirmed them. */
export async function siteTotals(
  { policy }: LoadedSite,
  store: HistoryStore,
): Promise<ReadonlyMap<string, readonly TotalStep[]>> {
  const totals = new Map<string, readonly TotalStep[]>();
  for (const { resource } of policy.resources) totals.set(resource, await confirmedTotals(store.history(resource)));
  return totals;
}
