import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { functions } from '../../functions/manifest.ts';
import { poolFunction } from '../../functions/pool-manifest.ts';

/** A cold start reads and compiles all of it. */
const maximumBytes = 650_000;

it.each([...functions, poolFunction].map(({ name }) => name))('the artefact of %s is at most 650 KB', async (name) => {
  const { size } = await stat(`dist/functions/${name}/index.mjs`);
  expect(size).toBeGreaterThan(0);
  expect(size).toBeLessThanOrEqual(maximumBytes);
});
