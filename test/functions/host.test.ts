import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { deployed, MissingVariable, VariableNotJson, type Handler } from '../../functions/host.ts';
import { functions } from '../../functions/manifest.ts';
import { startParts } from './parts.ts';

/** No function holds a key that is not its own. */
const variablesOf: Readonly<Record<string, readonly string[]>> = {
  reconcile: ['ESR_SITE_FILE', 'ESR_TABLE', 'ESR_HOLDER', 'ESR_BUS', 'ESR_SITE_KEY'],
  'push-total': ['ESR_SITE_FILE', 'ESR_TABLE', 'ESR_PROVISIONER_KEY'],
  demand: ['ESR_SITE_FILE', 'ESR_TABLE', 'ESR_BUS', 'ESR_CONTROLLER_KEYS'],
  freeze: ['ESR_SITE_FILE', 'ESR_TABLE', 'ESR_CONTROLLER_KEYS'],
  relay: ['ESR_SITE_FILE', 'ESR_TABLE', 'ESR_CONTROLLER_KEYS'],
  status: ['ESR_SITE_FILE', 'ESR_TABLE', 'ESR_HOLDER', 'ESR_SITE_KEY'],
};

it.each(functions.map(({ name, load }) => [name, load] as const))(
  '%s names a variable that it misses, and needs no more than these',
  async (name, load) => {
    const { environment, make: makeWith } = await startParts();
    const { make } = await load();
    const needed: string[] = [];
    for (const variable of Object.keys(environment).filter((key) => key.startsWith('ESR_'))) {
      const { [variable]: _left, ...rest } = environment;
      const error = await makeWith(make, rest).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) continue;
      expect(error).toBeInstanceOf(MissingVariable);
      expect(error).toHaveProperty('variable', variable);
      needed.push(variable);
    }
    expect(needed).toEqual(variablesOf[name]);
  },
);

it.each([
  ['reconcile', 'ESR_SITE_KEY'],
  ['push-total', 'ESR_PROVISIONER_KEY'],
  ['status', 'ESR_SITE_KEY'],
  ['demand', 'ESR_CONTROLLER_KEYS'],
] as const)('%s names %s where it is no JSON, and tells nothing of what is in it', async (name, variable) => {
  const { environment, make: makeWith } = await startParts();
  const made = functions.find((spec) => spec.name === name)?.load();
  const makeFunction = async () => made && makeWith((await made).make, { ...environment, [variable]: 'SECRET-KEY' });
  const error = await makeFunction().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(VariableNotJson);
  expect(String(error)).toContain(variable);
  expect(inspect(error)).not.toContain('SECRET');
});

it('sets a function up with its first event, and once', async () => {
  let times = 0;
  const handler = deployed(async () => {
    times += 1;
    return async (event) => event;
  });
  expect(times).toBe(0);
  expect(await Promise.all([handler('one'), handler('two')])).toEqual(['one', 'two']);
  expect(times).toBe(1);
});

it('sets a function up again with the next event when that has failed', async () => {
  let works = false;
  const handler = deployed(async (): Promise<Handler> => {
    if (!works) throw new MissingVariable('ESR_TABLE');
    return async () => 'done';
  });
  await expect(handler({})).rejects.toThrow('ESR_TABLE');
  works = true;
  expect(await handler({})).toBe('done');
});

it('stays set up when an event fails', async () => {
  let times = 0;
  const handler = deployed(async () => {
    times += 1;
    return async (event) => {
      if (event === 'bad') throw new Error('no');
      return event;
    };
  });
  await expect(handler('bad')).rejects.toThrow('no');
  expect(await handler('good')).toBe('good');
  expect(times).toBe(1);
});
