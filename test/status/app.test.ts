import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../shared/adapters/dynamodb/ensure-table.ts';
import { DynamoLedgerStore } from '../../shared/adapters/dynamodb/ledger-store.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { problem } from '../../shared/contracts/common.ts';
import { statusDocument } from '../../shared/contracts/openapi-status.ts';
import { historyPage, totals } from '../../shared/contracts/status-history.ts';
import * as contract from '../../shared/contracts/status.ts';
import { engineEnvironment, startEngine, type Engine } from '../../shared/local/engine.ts';
import type { HistoryStore, LedgerStore } from '../../shared/ports.ts';
import { statusApp } from '../../shared/status/app.ts';
import { TestSite } from './test-site.ts';

async function serve(store?: LedgerStore & HistoryStore): Promise<{ site: TestSite; url: string }> {
  const site = new TestSite(store);
  const server = await listen(statusApp(site.status), 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return { site, url: server.url };
}

async function problemOf(url: string): Promise<unknown> {
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = problem.parse(await response.json());
  expect(body.status).toBe(response.status);
  return body;
}

describe('the status API of a site in a table', () => {
  let engine: Engine;
  let client: DynamoDBClient;
  beforeAll(async () => {
    engine = await startEngine();
    client = dynamoClient(engineEnvironment(engine));
    await ensureTable(client, 'esr');
  });
  afterAll(async () => {
    client.destroy();
    await engine.stop();
  });
  const store = (site: string) => new DynamoLedgerStore({ client, table: 'esr', site });
  const routes = [
    ['/v1/site', contract.siteSummary],
    ['/v1/resources', contract.resourceList],
    ['/v1/resources/hfsshpc', contract.resourceStatus],
    ['/v1/resources/hfsshpc/grants', contract.openGrants],
    ['/v1/resources/hfsshpc/history', historyPage],
    ['/v1/resources/hfsshpc/totals', totals],
    ['/v1/providers', contract.providerList],
    ['/v1/health', contract.health],
  ] as const;

  it('answers each route as its contract says', async () => {
    const { site, url } = await serve(store('munich'));
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 32);
    await site.push();
    for (const [path, schema] of routes) {
      const response = await fetch(url + path);
      expect(response.status).toBe(200);
      const body: unknown = await response.json();
      expect(schema.parse(body)).toEqual(body);
    }
  });

  it('pages through a history', async () => {
    const { site, url } = await serve(store('bangalore'));
    await site.open();
    const page = async (query: string) =>
      historyPage.parse(await (await fetch(`${url}/v1/resources/hfsshpc/history?${query}`)).json());
    const first = await page('limit=2');
    const second = await page(`limit=2&cursor=${first.next}`);
    expect([first, second].map(({ entries }) => entries.map(({ version }) => version))).toEqual([[1, 2], [3]]);
    expect(second.next).toBeUndefined();
  });
});

describe('the status API', () => {
  let site: TestSite;
  let url: string;
  beforeEach(async () => {
    ({ site, url } = await serve());
  });

  it('finds resources by percent-encoded names', async () => {
    for (const name of ['vcs_runtime@flex1', 'vcs_runtime%40flex1', '%76cs_runtime%40flex1']) {
      expect(await (await fetch(`${url}/v1/resources/${name}`)).json()).toMatchObject({ name: 'vcs_runtime@flex1' });
    }
  });

  it.each(['vcs', 'hfsshpc%2F..', '%E0%A4%A', '%1B%5B31m'])('answers 404 for the unknown resource %s', async (name) => {
    for (const rest of ['', '/grants', '/history', '/totals']) {
      expect(await problemOf(`${url}/v1/resources/${name}${rest}`)).toMatchObject({
        status: 404,
        type: 'unknown-resource',
      });
    }
  });

  it('answers 404 for a route that it does not have', async () => {
    expect(await problemOf(`${url}/v1/jobs`)).toMatchObject({ status: 404, type: 'not-found' });
  });

  it('only reads', async () => {
    const response = await fetch(`${url}/v1/resources/hfsshpc`, { method: 'DELETE' });
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
    });
    expect(problem.parse(await response.json())).toMatchObject({ type: 'read-only' });
  });

  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-03-02', 'from'],
    ['to=', 'to'],
    ['from=2026-03-02T10:00:00Z&to=2026-03-02T09:00:00Z', 'from: must not be later than "to"'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=../../1', 'cursor: not a cursor of this API'],
    ['cursor=zzzzzzzzzzz', 'cursor'],
    ['form=2026-03-02T09:00:00Z', '"form"'],
  ])('answers 400 for a history with %s and names it', async (query, named) => {
    const answer = await problemOf(`${url}/v1/resources/hfsshpc/history?${query}`);
    expect(answer).toMatchObject({ status: 400, detail: expect.stringContaining(named) });
  });

  it('does not page totals', async () => {
    expect(await problemOf(`${url}/v1/resources/hfsshpc/totals?limit=1`)).toMatchObject({ status: 400 });
  });

  it('answers 304 for as long as nothing changes, though ever newer figures are read', async () => {
    await site.open();
    const first = await fetch(`${url}/v1/resources`);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('no-cache');
    site.clock.advance(5_000);
    const again = () => fetch(`${url}/v1/resources`, { headers: { 'if-none-match': etag } });
    const unchanged = await again();
    expect({ status: unchanged.status, etag: unchanged.headers.get('etag') }).toEqual({ status: 304, etag });
    expect(site.looks).toBe(2);
    await site.borrow('g1', 32);
    expect((await again()).status).toBe(200);
  });

  it('does not call figures unchanged that only grow older', async () => {
    await fetch(`${url}/v1/resources`);
    site.controllerAnswers = false;
    const etag = async () => {
      site.clock.advance(1_000);
      return (await fetch(`${url}/v1/resources`)).headers.get('etag');
    };
    expect(await etag()).not.toBe(await etag());
  });

  it('serves its own description', async () => {
    expect(await (await fetch(`${url}/v1/openapi.json`)).json()).toEqual(statusDocument());
  });
});

describe('the status API of a site whose ledger', () => {
  it('cannot be read answers 503', async () => {
    class BrokenStore extends MemoryLedgerStore {
      override async read(): Promise<never> {
        throw new Error('secret of the inside');
      }
    }
    const { url } = await serve(new BrokenStore());
    const answer = await problemOf(`${url}/v1/health`);
    expect(answer).toMatchObject({ status: 503, type: 'ledger-unreadable' });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('has a damaged history answers 500 and tells nothing of the inside', async () => {
    class DamagedStore extends MemoryLedgerStore {
      override history(): never {
        throw new Error('secret of the inside');
      }
    }
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { url } = await serve(new DamagedStore());
    const answer = await problemOf(`${url}/v1/resources/hfsshpc/history`);
    expect(answer).toMatchObject({ status: 500 });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
  });
});
