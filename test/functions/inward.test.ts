import { expect, it } from 'vitest';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { readSiteBundle, siteBundle } from '../../functions/site-bundle.ts';
import { assembleSite } from '../../shared/config/load.ts';
import { writeDurably } from '../../shared/local/write-durably.ts';
import { startParts, submitJob } from './parts.ts';

/** The rules of a site that is deployed with these settings. */
function deployedRules(settings: object = {}) {
  const written = {
    site: 'munich',
    controller: { url: 'https://controller.example.com' },
    providers: [],
    resources: {},
  };
  return siteBundle(assembleSite({ ...written, ...settings })).addressRules;
}

it.each([
  ['does not call', {}, 'unheard'],
  ['calls', { allowAddresses: ['127.0.0.1'] }, 'done'],
])('a deployed site %s what its own host serves with %j', async (_does, settings, result) => {
  const parts = await startParts();
  submitJob(parts);
  const file = String(parts.environment['ESR_SITE_FILE']);
  const bundle = await readSiteBundle(file);
  await writeDurably(file, JSON.stringify({ ...bundle, addressRules: deployedRules(settings) }));
  const reconcile = await parts.make(makeReconcile);
  expect(await reconcile({})).toBe(result);
  expect(await parts.pool.list('munich')).toHaveLength(result === 'done' ? 1 : 0);
});
