import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** DynamoDB refuses items over 400 KB, attribute names and keys included; this leaves room for those. */
export const maximumBodyBytes = 350 * 1_024;

/** The partition key of everything that a site keeps; the functions' roles reach no other but the relay's. */
export const sitePartition = (site: string): string => `SITE#${site}`;
/** Calls on their way to a controller that fetches them. */
export const relayPartition = (site: string): string => `RELAY#${site}`;

/**
 * `$` follows `#`, so BETWEEN `PROVIDER#` and `RESOURCE$` is exactly what one pass reads: PROVIDER#, PROVISION# and
 * RESOURCE#. Demand, history and passes sort before it. No name holds a `#` (see contracts/common.ts).
 */
export const siteRange = ['PROVIDER#', 'RESOURCE$'] as const;
export const controllerKey = 'PROVISION#controller';
export const freezeKey = 'PROVISION#freeze';
export const demandKey = 'DEMAND';
export const resourceKey = (resource: string): string => `RESOURCE#${resource}`;
export const providerKey = (provider: string): string => `PROVIDER#${provider}`;
/** Padded so that the order of keys is the order of versions. */
export const historyKey = (resource: string, version: number): string =>
  `HISTORY#${resource}#${String(version).padStart(12, '0')}`;
export const passKey = (pass: string, part: number): string => `PASS#${pass}#${String(part).padStart(2, '0')}`;
export const passRange = (pass: string) => [`PASS#${pass}#`, `PASS#${pass}$`] as const;

export const callKey = (id: string): string => `CALL#${id}`;
/** After all calls, as their ids begin with digits, so that one query reads it with them. */
export const fetcherKey = 'CALL#fetcher';
/** `first`: what the ids begin with. */
export const callsFrom = (first: string) => [callKey(first), fetcherKey] as const;
export const answerKey = (id: string): string => `ANSWER#${id}`;
export const answerPartKey = (id: string, attempt: string, part: number): string =>
  `ANSWER#${id}#${attempt}#${String(part).padStart(2, '0')}`;

export const sortKeyOf = (item: Item): string => item['sk']?.S ?? 'an item without a sort key';
