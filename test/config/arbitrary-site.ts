import * as fc from 'fast-check';
import { formatDuration } from '../../shared/config/duration.ts';

const day = 86_400;

const durationBetween = (least: number, most: number) => fc.integer({ min: least, max: most }).map(formatDuration);

const offer = fc
  .record(
    {
      block: fc.integer({ min: 1, max: 8 }),
      blocks: fc.integer({ min: 1, max: 8 }),
      spare: fc.nat(8),
      minimumHold: durationBetween(0, 40 * day),
      partialReturns: fc.boolean(),
      lease: durationBetween(60, 40 * day),
      costPerTokenHour: fc.double({ min: 0, max: 1e9, noNaN: true }),
    },
    { requiredKeys: ['block', 'blocks', 'minimumHold', 'costPerTokenHour'] },
  )
  .map(({ blocks, spare, ...terms }) =>
    spare === undefined
      ? { ...terms, capacity: terms.block * blocks }
      : { ...terms, capacity: terms.block * blocks + spare, maximum: terms.block * blocks },
  );

const elasticOf = (providers: readonly string[]) =>
  fc
    .record(
      {
        providers: fc.subarray([...providers], { minLength: 1 }),
        providerOrder: fc.constantFrom('listed', 'cheapest'),
        maxBorrowed: fc.integer({ min: 8, max: 1_000 }),
        stepBelow: fc.nat(1_000),
        borrowAfter: durationBetween(0, day),
        returnAfter: durationBetween(60, day),
        headroom: fc.nat(10),
        linger: durationBetween(0, day),
        spendingCap: fc.record({ amount: fc.nat(), per: fc.constantFrom('day', 'month') }),
        onStale: fc.constantFrom('keep', 'ownedOnly'),
        staleAfter: durationBetween(60, day),
      },
      { requiredKeys: ['providers', 'maxBorrowed'] },
    )
    .map(({ stepBelow, ...rules }) =>
      stepBelow === undefined ? rules : { ...rules, maxStep: Math.max(8, rules.maxBorrowed - stepBelow) },
    );

/** A resource, and the offer that every provider makes from which it borrows. */
const lentResource = (providers: readonly string[]) =>
  fc.oneof(
    fc.record({ resource: fc.record({ shared: fc.boolean(), total: fc.nat(1_000) }) }),
    fc.record({
      resource: fc.record({ shared: fc.constant(true), total: fc.nat(1_000), elastic: elasticOf(providers) }),
      offer,
    }),
  );

const resourceName = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.:@+-]{0,20}$/);
const siteName = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/);

const settings = fc.record(
  {
    site: siteName,
    controller: fc.record(
      { url: fc.constant('http://127.0.0.1:8180'), keys: fc.string({ minLength: 1 }) },
      { requiredKeys: [] },
    ),
    cluster: fc.record({ backfill: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: ['site'] },
);

/** Site files without fault, as plain data: with and without every key that may be left out. */
export const arbitrarySite = fc
  .uniqueArray(siteName, { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.record({
      settings,
      providers: fc.tuple(
        ...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom('url', 'offers', 'both'))),
      ),
      lent: fc.dictionary(resourceName, lentResource(names), { maxKeys: 6, noNullPrototype: true }),
    }),
  )
  .map(({ settings, providers, lent }) => {
    const offersOf = (provider: string) =>
      Object.entries(lent).flatMap(([name, lent]) =>
        'offer' in lent && lent.resource.elastic.providers.includes(provider) ? [[name, lent.offer] as const] : [],
      );
    return {
      ...settings,
      providers: providers.map(([name, given]) => ({
        name,
        kind: 'pool',
        ...(given === 'offers' ? {} : { url: 'https://pool.example.com/' }),
        ...(given === 'url' ? {} : { offers: Object.fromEntries(offersOf(name)) }),
      })),
      resources: Object.fromEntries(Object.entries(lent).map(([name, { resource }]) => [name, resource])),
    };
  });
