import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ReferenceController } from '../../onprem/controller.ts';
import { controllerApp } from '../../onprem/app.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { documents, documentText } from '../../shared/contracts/openapi-documents.ts';
import { MemoryDemandWindow } from '../../shared/adapters/memory/demand-window.ts';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { demandApp } from '../../shared/demand-app.ts';
import { freezeApp } from '../../shared/freeze-app.ts';
import { poolApp } from '../../shared/pool/app.ts';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { relayApp } from '../../shared/relay/app.ts';
import { statusApp } from '../../shared/status/app.ts';
import { keyListOf } from '../adapters/signing/party.ts';
import { TestClock } from '../status/test-clock.ts';
import { TestSite } from '../status/test-site.ts';
import { openApiSchema } from './document-schema.ts';

const made = Object.entries(documents).map(([name, document]) => [name, document()] as const);

describe.each(made)('the OpenAPI document %s', (name, document) => {
  const { paths, components, security } = openApiSchema.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const refs = valuesOf(document, '$ref').map(String);

  it('is committed as it is made; run `node --import tsx scripts/openapi.ts` where it is not', async () => {
    const file = new URL(`../../docs/openapi/${name}.json`, import.meta.url);
    expect(await readFile(file, 'utf8')).toBe(documentText(document));
  });

  it('refers to the schemas that it has, and to each of them', () => {
    const schemas = Object.keys(components.schemas).map((schema) => `#/components/schemas/${schema}`);
    expect([...new Set(refs)].sort()).toEqual(schemas.sort());
  });

  it('has schemas alone, without ids or a dialect of their own', () => {
    expect([...valuesOf(document, '$id'), ...valuesOf(document, '$schema')]).toEqual([]);
  });

  it('names each operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect([...new Set(ids)]).toEqual(ids);
  });

  it('declares the parameters of each path as required, and none twice', () => {
    for (const { path, parameters } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect([...new Set(keys)]).toEqual(keys);
    }
  });

  it('has a success for each operation, and problem documents for all that fails', () => {
    for (const { responses } of operations) {
      expect(Object.keys(responses)).toContainEqual(expect.stringMatching(/^2/));
      expect(Object.keys(responses)).toContain('500');
      const failures = Object.entries(responses).filter(([status]) => status >= '400');
      for (const [, { content }] of failures) {
        expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
      }
    }
  });

  it('asks for security schemes that it has', () => {
    const requirements = [security, ...operations.map((operation) => operation.security ?? [])].flat();
    for (const scheme of requirements.flatMap((requirement) => Object.keys(requirement))) {
      expect(components.securitySchemes).toHaveProperty(scheme);
    }
  });
});

describe('the servers of this project', async () => {
  const keys = await keyListOf();
  const clock = new TestClock();
  const log = { info: () => {}, warn: () => {}, alarm: () => {} };
  const controller = new ReferenceController({ config: { site: 'munich', backfill: true, resources: [] }, now: 0 });
  const verifier = new CallVerifier({ keys, audience: 'munich' });
  const events = { demandWaits: async () => {}, totalChanged: async () => {} };
  const store = { begin: async () => '', take: async () => [], answer: async () => 'unknown' as const };
  const pool = new Pool({ name: 'pool', offers: [], store: new MemoryPoolStore(), clock });

  it.each([
    ['controller', controllerApp({ controller, site: 'munich', keys: () => keys, clock, log })],
    ['demand', demandApp({ site: 'munich', verifier, window: new MemoryDemandWindow(), events, clock, log })],
    ['freeze', freezeApp({ site: 'munich', verifier, store: new MemoryLedgerStore(), clock, log })],
    ['provider', poolApp({ pool, verifier: new CallVerifier({ keys, audience: 'pool' }), log })],
    ['relay', relayApp({ site: 'munich', verifier, store, clock, log })],
    ['status', statusApp(new TestSite().status)],
  ])('serve every operation of the document %s', (name, { routes }) => {
    const served = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '{}')}`);
    const described = Object.entries(documents[name]?.().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    );
    expect(described.length).toBeGreaterThan(0);
    expect(served).toEqual(expect.arrayContaining(described));
  });
});

/** Everything under this key, however deep. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(inner, key)]);
}
