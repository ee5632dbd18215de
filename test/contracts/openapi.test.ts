import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { documents, documentText } from '../../shared/contracts/openapi-documents.ts';
import { json, openApiDocument, problemAnswer, type Contract } from '../../shared/contracts/openapi.ts';
import { statusApp } from '../../shared/status/app.ts';
import { TestSite } from '../status/test-site.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: object };
  readonly responses: Record<string, { description: string; content?: object }>;
  readonly security?: readonly object[];
}

const made = Object.entries(documents).map(([name, document]) => [name, document()] as const);

describe.each(made)('the OpenAPI document %s', (name, document) => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...(operation as Operation) })),
  );

  it('is committed as it is made; run `node --import tsx scripts/openapi.ts` where it is not', async () => {
    const file = new URL(`../../docs/openapi/${name}.json`, import.meta.url);
    expect(await readFile(file, 'utf8')).toBe(documentText(document));
  });

  it('refers only to what it has', () => {
    const refs = valuesOf(document, '$ref');
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) expect(resolve(document, ref), String(ref)).toBeTypeOf('object');
  });

  it('has no schema that nothing refers to', () => {
    const refs = new Set(valuesOf(document, '$ref'));
    const { schemas } = z.object({ schemas: z.record(z.string(), z.unknown()) }).parse(document['components']);
    expect(Object.keys(schemas).filter((schema) => !refs.has(`#/components/schemas/${schema}`))).toEqual([]);
  });

  it('names each operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.every(({ summary }) => summary !== '')).toBe(true);
  });

  it('declares each parameter of a path, and no other, as required', () => {
    for (const { path, parameters = [] } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => parameter.name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('declares no parameter twice', () => {
    for (const { parameters = [] } of operations) {
      const keys = parameters.map(({ name, in: place }) => `${place} ${name}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('has for each operation a success and the problems that any server may have', () => {
    for (const { operationId, responses } of operations) {
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true);
      expect(Object.keys(responses), operationId).toContain('500');
    }
  });

  it('answers every failure with a problem document', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        expect(Object.keys(content ?? {}), `${operationId} ${status}`).toEqual(['application/problem+json']);
      }
    }
  });

  it('asks only for security schemes that it has', () => {
    const { securitySchemes } = z
      .object({ securitySchemes: z.record(z.string(), z.unknown()) })
      .parse(document['components']);
    for (const requirement of valuesOf(document, 'security').flatMap((each) => each as object[])) {
      expect(Object.keys(securitySchemes)).toEqual(expect.arrayContaining(Object.keys(requirement)));
    }
  });

  it('says nothing of a dialect or of names that only its making needs', () => {
    expect(valuesOf(document, '$schema')).toEqual([]);
    expect(valuesOf(document, '$id')).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('schemas/holder');
  });
});

describe('the status document', () => {
  it('has the very routes that the API serves', () => {
    const served = statusApp(new TestSite().status)
      .routes.filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(Object.keys(documents['status']?.().paths ?? {})).toEqual(served);
  });
});

describe('an OpenAPI document', () => {
  const contract: Contract = {
    title: 'Pets',
    description: 'Pets.',
    version: '1.0.0',
    security: [{}],
    securitySchemes: {},
    schemas: {},
    pathParameters: { pet: z.string() },
    operations: [
      {
        id: 'feed',
        method: 'post',
        path: '/pets/{pet}',
        summary: 'Feed',
        query: z.object({ grams: z.coerce.number().int().max(9), dry: z.stringbool().default(false) }),
        body: json(z.object({ food: z.string() })),
        answers: { 204: { description: 'Fed' }, 404: problemAnswer('No such pet') },
      },
    ],
  };

  it('says of each parameter whether it is required', () => {
    const { post } = openApiDocument(contract).paths['/pets/{pet}'] ?? {};
    expect(post).toMatchObject({
      parameters: [
        { name: 'pet', in: 'path', required: true },
        { name: 'grams', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } },
        { name: 'dry', in: 'query', required: false, schema: { type: 'string', default: false } },
      ],
    });
  });

  it('has an answer without a body as one without content', () => {
    const { post } = openApiDocument(contract).paths['/pets/{pet}'] ?? {};
    expect(post).toHaveProperty('responses.204', { description: 'Fed' });
  });

  it('is not made of a path whose parameter the contract lacks', () => {
    expect(() => openApiDocument({ ...contract, pathParameters: {} })).toThrow('no path parameter pet');
  });
});

/** Everything under this key, however deep. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(inner, key)]);
}

function resolve(document: unknown, ref: unknown): unknown {
  const [root, ...steps] = String(ref).split('/');
  if (root !== '#') return undefined;
  return steps.reduce<unknown>((at, step) => Object(at)[step] as unknown, document);
}
