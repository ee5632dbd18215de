import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { ensureTable } from '../../../shared/adapters/dynamodb/ensure-table.ts';
import { DynamoLedgerStore } from '../../../shared/adapters/dynamodb/ledger-store.ts';
import { engineKinds, TestTable } from './engines.ts';
import { aLedger } from './records.ts';

describe.each(engineKinds)('ensureTable on %s', (kind) => {
  const fixture = new TestTable(kind);

  it('makes a table that can be used at once, whoever else makes it at the same time', async () => {
    const [client, table] = [fixture.client(), `esr-${kind}`];
    await Promise.all([ensureTable(client, table), ensureTable(client, table)]);
    const { Table: description } = await client.send(new DescribeTableCommand({ TableName: table }));
    expect(description).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
  });

  it('leaves a table that is there as it is', async () => {
    const site = fixture.newSite();
    const store = new DynamoLedgerStore(site);
    await store.write(undefined, aLedger('hfsshpc'));
    await ensureTable(site.client, site.table);
    expect((await store.read()).ledgers).toEqual([aLedger('hfsshpc')]);
  });
});
