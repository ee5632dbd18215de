/** Makes an OpenAPI 3.1 document from a table of operations and zod schemas, whose JSON Schema dialect is the same. */
import * as z from 'zod';
import { problem } from './common.ts';

export interface Contract {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Of the operations that name none of their own. */
  readonly security: readonly SecurityRequirement[];
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** Schemas that have a name of their own in the document. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  /** For the `{parameter}`s of the paths. */
  readonly pathParameters: Readonly<Record<string, z.ZodType>>;
  readonly operations: readonly Operation[];
}

/** Scheme and roles; any one of several is enough, and an empty one stands for no authentication. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'put' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly SecurityRequirement[];
  readonly query?: z.ZodObject;
  readonly body?: Content;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
}

export interface Content {
  readonly type: string;
  readonly schema: z.ZodType;
}

export interface Answer {
  readonly description: string;
  /** Absent: the answer has no body. */
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: object }>>;
}

/** A document that OpenAPI 3.1.0 allows, as JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly [section: string]: unknown;
}

export function json(schema: z.ZodType): Content {
  return { type: 'application/json', schema };
}

/** An answer with a problem document, as every refusal and failure is. */
export function problemAnswer(description: string, schema: z.ZodType = problem): Answer {
  return { description, content: { type: 'application/problem+json', schema } };
}

export function openApiDocument(contract: Contract): OpenApiDocument {
  const { title, description, version, security, securitySchemes, schemas, operations } = contract;
  const jsonSchemas = new JsonSchemas(schemas, [
    ...Object.values(contract.pathParameters),
    ...operations.flatMap(({ query, body, answers }) => [
      ...Object.values(query?.shape ?? {}),
      ...(body ? [body.schema] : []),
      ...Object.values(answers).flatMap(({ content }) => (content ? [content.schema] : [])),
    ]),
  ]);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, contract, jsonSchemas);
  }
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    security,
    paths,
    components: { schemas: jsonSchemas.named, securitySchemes },
  };
}

function describe(operation: Operation, { pathParameters }: Contract, schemas: JsonSchemas): object {
  const { id, path, summary, description, security, query, body, answers } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = pathParameters[name];
    if (schema === undefined) throw new Error(`describing ${path}: the contract has no path parameter ${name}; add it`);
    return { name, in: 'path', required: true, schema: schemas.of(schema) };
  });
  const inQuery = Object.entries<z.ZodType>(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: schemas.of(schema),
  }));
  const content = ({ type, schema }: Content) => ({ [type]: { schema: schemas.of(schema) } });
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    ...(security && { security }),
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body && { requestBody: { required: true, content: content(body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, { content: answered, ...answer }]) => [
        status,
        { ...answer, ...(answered && { content: content(answered) }) },
      ]),
    ),
  };
}

/** The JSON Schemas of a contract, made together so that each refers to the named ones within it. */
class JsonSchemas {
  readonly named: Readonly<Record<string, object>>;
  readonly #used: ReadonlyMap<z.ZodType, object>;

  constructor(named: Readonly<Record<string, z.ZodType>>, used: readonly z.ZodType[]) {
    const registry = z.registry<{ id: string }>();
    for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
    // One more schema, whose properties show each schema in the way in which it is used.
    const holder = z.object(Object.fromEntries(used.entries()));
    registry.add(holder, { id: 'holder' });
    // As input, objects admit more than is required of them, so that a contract can grow.
    const made = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` }).schemas;
    const properties = made['holder']?.properties ?? {};
    this.#used = new Map(used.map((schema, index) => [schema, Object(properties[index])]));
    this.named = Object.fromEntries(
      Object.keys(named).map((name) => {
        const { $schema: _dialect, $id: _id, ...schema } = made[name] ?? {};
        return [name, schema];
      }),
    );
  }

  of(schema: z.ZodType): object {
    return this.#used.get(schema) ?? {};
  }
}
