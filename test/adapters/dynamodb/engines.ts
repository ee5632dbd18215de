import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { dynamoClient } from '../../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../../shared/adapters/dynamodb/ensure-table.ts';
import { engineEnvironment, startEngine, type Engine, type EngineKind } from '../../../shared/local/engine.ts';

export { engineKinds } from '../../local/engine-fixture.ts';

const table = 'esr-test';

/** An engine with a table for the tests of one `describe`. */
export class TestTable {
  readonly table = table;
  #engine: Engine | undefined;
  #clients: DynamoDBClient[] = [];

  constructor(kind: EngineKind) {
    beforeAll(async () => {
      this.#engine = await startEngine({ kind });
      await ensureTable(this.client(), table);
    });
    afterAll(async () => {
      for (const client of this.#clients) client.destroy();
      await this.#engine?.stop();
    });
  }

  client(): DynamoDBClient {
    const client = dynamoClient(engineEnvironment({ endpoint: this.#engine?.endpoint ?? '' }));
    this.#clients.push(client);
    return client;
  }

  /** Where a store or window finds a site that nobody has used yet. */
  newSite(client: DynamoDBClient = this.client()): { client: DynamoDBClient; table: string; site: string } {
    return { client, table, site: randomUUID() };
  }
}
