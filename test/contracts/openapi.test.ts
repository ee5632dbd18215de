import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { json, openApiDocument, problemAnswer, type Contract } from '../../shared/contracts/openapi.ts';

const pet = z.object({ name: z.string(), friends: z.array(z.string()) });
const contract: Contract = {
  title: 'Pets',
  description: 'Pets.',
  version: '1.0.0',
  security: [{}],
  securitySchemes: {},
  schemas: { Pet: pet },
  pathParameters: { name: z.string() },
  operations: [
    {
      id: 'feed',
      method: 'post',
      path: '/pets/{name}',
      summary: 'Feed',
      query: z.object({ grams: z.coerce.number().int().max(9), food: z.string().default('hay') }),
      body: json(z.object({ by: pet })),
      answers: {
        200: { description: 'Fed', content: json(pet) },
        204: { description: 'Not hungry' },
        404: problemAnswer('No such pet'),
      },
    },
  ],
};

describe('an OpenAPI document', () => {
  const { post } = openApiDocument(contract).paths['/pets/{name}'] ?? {};

  it('says of each parameter whether it is required', () => {
    expect(post).toMatchObject({
      parameters: [
        { name: 'name', in: 'path', required: true },
        { name: 'grams', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } },
        { name: 'food', in: 'query', required: false, schema: { type: 'string', default: 'hay' } },
      ],
    });
  });

  it('refers to schemas with a name and holds the others where they are used', () => {
    const ref = { $ref: '#/components/schemas/Pet' };
    expect(post).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { by: ref } } } } },
      responses: { 200: { content: { 'application/json': { schema: ref } } } },
    });
  });

  it('lets objects grow', () => {
    expect(JSON.stringify(openApiDocument(contract))).not.toContain('additionalProperties');
  });

  it('has an answer without a body as one without content', () => {
    expect(post).toHaveProperty('responses.204', { description: 'Not hungry' });
  });

  it('is not made of a path whose parameter the contract lacks', () => {
    expect(() => openApiDocument({ ...contract, pathParameters: {} })).toThrow('no path parameter name');
  });
});
