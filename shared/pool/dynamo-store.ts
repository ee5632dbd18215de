import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DamagedItemError, OversizedItemError } from '../adapters/dynamodb/errors.ts';
import { maximumBodyBytes, sortKeyOf, type Item } from '../adapters/dynamodb/items.ts';
import { JsonBody } from '../adapters/dynamodb/json-body.ts';
import { Partition } from '../adapters/dynamodb/partition.ts';
import type { WriteOutcome } from '../ports.ts';
import { poolPartition } from './partition.ts';
import type { BarredGrant, ClaimedGrant, ClosedGrant, GrantRecord, Shelf } from './shelf.ts';
import type { PoolStore } from './store.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const record = new JsonBody<GrantRecord>('Use shorter ids.');
const shelfKey = (resource: string): string => `SHELF#${resource}`;
/** '$' follows '#', so this is every key that begins with SHELF#. */
const shelfRange = ['SHELF#', 'SHELF$'] as const;
const grantKey = (id: string): string => `GRANT#${id}`;

/**
 * A pool in one table of DynamoDB or of any engine that speaks its protocol: one item a shelf, written on the condition
 * of its version, and one item a grant, which stays as the history of what was lent. Throws `NewerSchemaError` and
 * `DamagedItemError` on reads, `OversizedItemError` on writes, and the SDK's errors when the table cannot be reached;
 * after those a write may or may not have happened.
 */
export class DynamoPoolStore implements PoolStore {
  readonly #items: Partition;

  constructor({ client, table, pool }: { client: DynamoDBClient; table: string; pool: string }) {
    this.#items = new Partition(client, table, poolPartition(pool));
  }

  async readShelf(resource: string): Promise<Shelf | undefined> {
    const item = await this.#items.get(shelfKey(resource));
    return item && unpackShelf(item);
  }

  async readShelves(): Promise<readonly Shelf[]> {
    const shelves: Shelf[] = [];
    for await (const item of this.#items.query(shelfRange)) shelves.push(await unpackShelf(item));
    return shelves;
  }

  async writeShelf(next: Shelf): Promise<WriteOutcome> {
    const attributes = { version: { N: String(next.version) }, body: await packShelf(next) };
    const previous = next.version === 1 ? undefined : next.version - 1;
    const standing = await this.#items.putUnless(shelfKey(next.resource), previous, attributes);
    return standing === undefined ? 'written' : 'lost';
  }

  async readRecord(id: string): Promise<GrantRecord | undefined> {
    const item = await this.#items.get(grantKey(id));
    return item && record.read(item);
  }

  async claim(claim: ClaimedGrant | BarredGrant): Promise<GrantRecord> {
    const key = grantKey(claim.id);
    const standing = await this.#items.putUnless(key, undefined, { body: record.write(key, claim) });
    return standing === undefined ? claim : record.read(standing);
  }

  async archive(grant: ClosedGrant): Promise<void> {
    const key = grantKey(grant.id);
    await this.#items.put(key, { body: record.write(key, grant) });
  }
}

/** Compressed, as its grants are alike: a full shelf would not fit into an item otherwise, and writes cost by the KB. */
async function packShelf(shelf: Shelf): Promise<Item[string]> {
  const body = await compress(JSON.stringify(shelf));
  if (body.length <= maximumBodyBytes) return { B: body };
  const mend = 'Sites make it smaller by giving grants back whole.';
  throw new OversizedItemError(shelfKey(shelf.resource), body.length, maximumBodyBytes, mend);
}

async function unpackShelf(item: Item): Promise<Shelf> {
  try {
    const shelf: Shelf = JSON.parse((await decompress(item['body']?.B ?? new Uint8Array())).toString());
    return shelf;
  } catch (error) {
    throw new DamagedItemError(sortKeyOf(item), error);
  }
}
