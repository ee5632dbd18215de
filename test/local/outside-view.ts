import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSiteBundle } from '../../functions/site-bundle.ts';
import { HttpClient, validate } from '../../shared/adapters/http/client.ts';
import { loadSigningKey } from '../../shared/adapters/signing/keys.ts';
import { sharedResources } from '../../shared/contracts/controller.ts';
import { grantList } from '../../shared/contracts/provider.ts';
import type { LocalKeys } from '../../shared/local/local-keys.ts';
import { bundleFile } from '../../shared/local/local-site.ts';

/** The controller and the pool of a running site, asked by their own contracts from outside its process. */
export async function outsideView(directory: string, controllerUrl: string) {
  const { policy, providers } = await readSiteBundle(bundleFile(directory));
  const { own }: LocalKeys = JSON.parse(await readFile(join(directory, 'keys.json'), 'utf8'));
  const call = { key: await loadSigningKey(own.site), subject: policy.site };
  const ask = async (audience: string, url: string) =>
    (await new HttpClient({ ...call, audience }).request({ method: 'GET', url })).body;

  return {
    /** What the controller applies, uses and lets wait. */
    async cluster(): Promise<{ total: number; inUse: number; waiting: number }> {
      const body = await ask(policy.site, `${controllerUrl}/v1/shared-resources`);
      const { resources, waiting } = validate(sharedResources, body, 'resources');
      const { total = 0, inUse = 0 } = resources.find(({ name }) => name === 'hfsshpc') ?? {};
      return { total, inUse, waiting: waiting.length };
    },
    /** Tokens that the pool counts as lent to the site. */
    async lent(): Promise<number> {
      const body = await ask('burst', `${providers[0]?.url}/v1/grants?site=${policy.site}`);
      const { grants } = validate(grantList, body, 'grants');
      return grants.reduce((sum, grant) => sum + (grant.state === 'granted' ? grant.tokens : 0), 0);
    },
  };
}

/** Ids of all jobs that the controller was ever given, as long as its journal has not been compacted. */
export async function submittedJobs(directory: string): Promise<string[]> {
  const journal = await readFile(join(directory, 'controller', 'journal.jsonl'), 'utf8');
  return [...journal.matchAll(/"id":"(job-\d+)"/g)].map(([, id]) => String(id));
}
