import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../shared/adapters/dynamodb/ensure-table.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { engineEnvironment, startEngine } from '../shared/local/engine.ts';
import { DynamoPoolStore } from '../shared/pool/dynamo-store.ts';
import { Pool } from '../shared/pool/pool.ts';
import { lentTokens, type Shelf } from '../shared/pool/shelf.ts';
import { exactly, type Benchmark, type Row } from './benchmark.ts';
import { timed } from './figures.ts';

const sites = 64;
const asksPerSite = 4;
const capacity = 192;
const feature = 'feature';
const table = 'pools';

/** Sites that all want the same feature at the same time, each of them more often than there are tokens for all. */
export const poolRace: Benchmark = {
  name: 'pool-race',
  async run() {
    const engine = await startEngine();
    const client = dynamoClient(engineEnvironment(engine));
    try {
      await ensureTable(client, table);
      return [...(await race(client, 1)), ...(await race(client, sites))];
    } finally {
      client.destroy();
      await engine.stop();
    }
  },
};

async function race(client: DynamoDBClient, copies: number): Promise<Row[]> {
  const name = `pool-of-${copies}`;
  const store = new CountingStore({ client, table, pool: name });
  const offers = [
    { resource: feature, capacity, block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1 },
  ];
  const pools = Array.from({ length: copies }, () => new Pool({ name, offers, store, clock: systemClock }));
  const outcomes = { granted: 0, refused: 0, contended: 0 };
  const ask = async (site: number): Promise<void> => {
    for (let index = 0; index < asksPerSite; index += 1) {
      const pool = pools[site % copies];
      const answer = await pool
        ?.request(`site-${site}`, `${name}.${site}.${index}`, { resource: feature, tokens: 1 })
        .catch(() => undefined);
      if (answer === undefined) outcomes.contended += 1;
      else if (answer.state === 'granted') outcomes.granted += 1;
      else outcomes.refused += 1;
    }
  };
  const milliseconds = await timed(() => Promise.all(Array.from({ length: sites }, (_, site) => ask(site))));
  const shelf = await store.readShelf(feature);
  return rowsOf(copies, outcomes, { milliseconds, retries: store.lost, lent: lentTokens(shelf?.open ?? []) });
}

function rowsOf(
  copies: number,
  { granted, refused, contended }: { granted: number; refused: number; contended: number },
  { milliseconds, retries, lent }: { milliseconds: number; retries: number; lent: number },
): Row[] {
  const where = copies === 1 ? 'one copy of the pool' : `${copies} copies of the pool`;
  const how = `${sites} sites, each asking ${asksPerSite} times for 1 of ${capacity} tokens, on the local engine`;
  return [
    { measure: `pool race, ${where}: over-lent`, ...exactly(Math.max(0, lent - capacity, lent - granted), 0), how },
    {
      measure: `pool race, ${where}: answers`,
      figure: `${granted} granted, ${refused} refused, ${contended} told to try again`,
      how,
    },
    {
      measure: `pool race, ${where}: speed`,
      figure: `${((1000 * granted) / milliseconds).toFixed(0)} grants/s, ${(retries / (granted + refused)).toFixed(2)} retries an answer`,
      how,
    },
  ];
}

/** Counts the writes that another copy was ahead of. */
class CountingStore extends DynamoPoolStore {
  lost = 0;

  override async writeShelf(next: Shelf): ReturnType<DynamoPoolStore['writeShelf']> {
    const outcome = await super.writeShelf(next);
    if (outcome === 'lost') this.lost += 1;
    return outcome;
  }
}
