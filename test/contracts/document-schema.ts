/** The part of OpenAPI 3.1.0 that the documents use; whatever is not of it is refused. */
import * as z from 'zod';

const schemaObject = z.looseObject({});
const mediaTypes = z.record(z.string().regex(/^application\//), z.strictObject({ schema: schemaObject }));
const securityRequirements = z.array(z.record(z.string(), z.array(z.string()))).min(1);

const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  schema: schemaObject,
});

const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.strictObject({ description: z.string(), schema: schemaObject })).optional(),
  content: mediaTypes.optional(),
});

const operation = z.strictObject({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  description: z.string().min(1).optional(),
  security: securityRequirements.optional(),
  parameters: z.array(parameter).min(1).default([]),
  requestBody: z.strictObject({ required: z.literal(true), content: mediaTypes }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), response),
});

const securityScheme = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('http'),
    scheme: z.string(),
    bearerFormat: z.string(),
    description: z.string(),
  }),
  z.strictObject({
    type: z.literal('apiKey'),
    name: z.string(),
    in: z.literal('header'),
    description: z.string(),
    'x-amazon-apigateway-authtype': z.string(),
  }),
]);

export const openApiSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string().min(1),
    description: z.string(),
    version: z.string().min(1),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  security: securityRequirements,
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'put', 'post', 'delete']), operation)),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schemaObject),
    securitySchemes: z.record(z.string(), securityScheme),
  }),
});
