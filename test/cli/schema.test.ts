import { Command, CommanderError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { registerSchema } from '../../cli/commands/schema.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function schema(...args: string[]): Promise<Record<string, unknown>> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const program = new Command('esr').exitOverride().configureOutput({ writeErr: () => undefined });
  registerSchema(program);
  await program.parseAsync(['schema', ...args], { from: 'user' });
  return z.record(z.string(), z.unknown()).parse(JSON.parse(String(log.mock.calls[0]?.[0])));
}

describe('esr schema', () => {
  it('is JSON Schema 2020-12 of what people write, not of what is made of it', async () => {
    expect(await schema('site')).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      required: ['site', 'providers', 'resources'],
      additionalProperties: false,
    });
  });

  it('is that of the site file, when none is named', async () => {
    expect(await schema()).toEqual(await schema('site'));
  });

  it('tells an editor the form and the default of a key', async () => {
    expect(await schema('resources')).toHaveProperty(
      'properties.resources.additionalProperties.properties.elastic.properties.returnAfter',
      { type: 'string', pattern: expect.any(String), default: '10m', description: expect.any(String) },
    );
  });

  it.each(['site', 'resources'])('describes every key of the %s file', async (file) => {
    const properties = propertiesOf(await schema(file));
    expect(properties.length).toBeGreaterThan(10);
    expect(properties.filter(([, property]) => !Object.hasOwn(property, 'description'))).toEqual([]);
  });

  it('exists for no other file', async () => {
    await expect(schema('ledger')).rejects.toThrow(CommanderError);
  });
});

/** Every property in a JSON Schema, with its own schema. */
function propertiesOf(schema: object): [name: string, property: object][] {
  const own = 'properties' in schema ? Object.entries<object>(Object(schema.properties)) : [];
  const inner = Object.values(schema).filter((value) => typeof value === 'object' && value !== null);
  return [...own, ...inner.flatMap(propertiesOf)];
}
