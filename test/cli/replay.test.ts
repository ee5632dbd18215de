import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutItemCommand, QueryCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { engineEnvironment, startEngine } from '../../shared/local/engine.ts';
import { siteTable } from '../../shared/local/local-site.ts';
import { job, madeSite, minute, newFolder, start, traceFile } from '../local/made-site.ts';
import { esr } from './esr.ts';

/** A site file with the data of a run. */
async function aRun() {
  const made = await madeSite();
  const trace = await traceFile(made, [job(start, 24, 120), job(start + 20 * minute, 8, 120)]);
  const { stderr, exitCode } = await esr('local', made.file, '--lockstep', '--trace', trace, '--data', made.directory);
  expect(stderr).toMatch(/^\d+ ticks, /);
  expect(exitCode).toBe(0);
  return made;
}

it('finds a run again, and leaves its data as it was', async () => {
  const { file, directory } = await aRun();
  const first = await esr('replay', file, '--data', directory);
  expect(first).toEqual({
    stdout: expect.stringMatching(/^\d+ ledger writes, \d+ of them decisions, \d+ totals: all found again\n$/),
    stderr: '',
    exitCode: 0,
  });
  expect(await esr('replay', file, '--data', directory)).toEqual(first);
});

it('prints one JSON document', async () => {
  const { file, directory } = await aRun();
  const { stdout, exitCode } = await esr('replay', file, '--data', directory, '--json');
  expect(JSON.parse(stdout)).toEqual({
    entries: expect.any(Number),
    decisions: expect.any(Number),
    totals: expect.any(Number),
  });
  expect(exitCode).toBe(0);
});

it('says which entry of the history was changed, and how', async () => {
  const { file, directory } = await aRun();
  const version = await changeItem(directory, 'HISTORY#hfsshpc#', ({ body, ...item }) => {
    if (body?.S?.includes('"kind":"granted"') !== true) return undefined;
    return { ...item, body: { S: body.S.replace('"borrowed":16', '"borrowed":24') } };
  });
  const { stdout, exitCode } = await esr('replay', file, '--data', directory);
  expect(stdout).toContain(
    `the first difference is in the ledger after this write of hfsshpc, version ${version}, 2026`,
  );
  expect(stdout).toMatch(/\nrecorded: .*"borrowed":24.*\nreplayed: .*"borrowed":16/);
  expect(exitCode).toBe(1);
});

it('says that what a pass saw was changed', async () => {
  const { file, directory } = await aRun();
  // The parts of a record are counted.
  await changeItem(directory, 'PASS#', (item) => ({ ...item, parts: { N: '2' } }));
  const { stdout, exitCode } = await esr('replay', file, '--data', directory);
  expect(stdout).toContain('the first difference is in what the pass saw of hfsshpc');
  expect(stdout).toContain('replayed: not recorded');
  expect(exitCode).toBe(1);
});

it('says that the site file has changed', async () => {
  const { file, directory, site } = await aRun();
  const other = await madeSite((text) => text.replace('maxBorrowed: 64', 'maxBorrowed: 32'));
  const { stdout, exitCode } = await esr('replay', other.file, '--data', directory);
  expect(stdout).toContain('the first difference is in the policy of the site file of hfsshpc');
  expect(stdout).toContain(`recorded: ${site.policyDigest}\nreplayed: ${other.site.policyDigest}\n`);
  expect(exitCode).toBe(1);
  expect((await esr('replay', file, '--data', directory)).exitCode).toBe(0);
});

it('says that there is no run, or one of another site, and makes nothing', async () => {
  const { file, directory } = await madeSite();
  expect(await esr('replay', file, '--data', directory)).toEqual({
    stdout: '',
    stderr: `esr: replaying munich: there is no run in ${directory}; name the directory of its run with --data\n`,
    exitCode: 1,
  });
  const folder = await newFolder();
  await writeFile(join(folder, 'site.json'), '{"policy":{"site":"austin"}}');
  const { stderr, exitCode } = await esr('replay', file, '--data', folder);
  expect(stderr).toContain(`esr: replaying munich: the run is one of austin in ${folder}`);
  expect(exitCode).toBe(1);
});

/** Changes the first item whose key begins so and for which `change` answers another; its version, where it has one. */
async function changeItem(
  directory: string,
  prefix: string,
  change: (item: Record<string, AttributeValue>) => Record<string, AttributeValue> | undefined,
): Promise<number> {
  const engine = await startEngine({ directory });
  const client = dynamoClient(engineEnvironment(engine));
  const TableName = siteTable('munich');
  try {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :site AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':site': { S: 'SITE#munich' }, ':prefix': { S: prefix } },
      }),
    );
    for (const item of Items) {
      const other = change(item);
      if (other === undefined) continue;
      await client.send(new PutItemCommand({ TableName, Item: other }));
      return Number(item['sk']?.S?.split('#')[2]);
    }
    throw new Error(`no item ${prefix} to change`);
  } finally {
    client.destroy();
    await engine.stop();
  }
}
