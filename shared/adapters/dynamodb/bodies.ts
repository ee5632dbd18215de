import type { HistoryEntry, ProviderRecord, ResourceLedger } from '../../domain/model.ts';
import { JsonBody } from './json-body.ts';

const fewerGrants = 'Fewer and larger grants make it smaller: raise maxStep or lower maxBorrowed.';

export const ledgerBody = new JsonBody<ResourceLedger>(fewerGrants);
export const entryBody = new JsonBody<HistoryEntry>(fewerGrants);
export const providerBody = new JsonBody<ProviderRecord>('Let the provider describe only what it lends to this site.');
