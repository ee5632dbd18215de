/** A site file, as a stack is made of it. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type * as z from 'zod';
import { siteBundle, type SiteBundle } from '../functions/site-bundle.ts';
import { KeyList } from '../shared/adapters/signing/keys.ts';
import { deploy } from '../shared/config/deploy.ts';
import { loadSiteFile, type LoadedSite } from '../shared/config/load.ts';

export type DeploySettings = z.output<typeof deploy>;

export interface DeployableSite {
  readonly site: LoadedSite;
  readonly bundle: SiteBundle;
  /** Key list as JSON of those who may announce demand. */
  readonly controllerKeys: string;
  readonly settings: DeploySettings;
}

/** Throws `FileFaults`, `AddressMissing`, and for the file of keys `KeyInvalid` or the error of reading it. */
export async function readSite(file: string): Promise<DeployableSite> {
  const site = await loadSiteFile(file);
  const { controller, deploy: settings = deploy.parse({}) } = site.file;
  const keys = controller?.keys;
  return {
    site,
    bundle: siteBundle(site),
    controllerKeys: keys === undefined ? '{"keys":[]}' : await readKeyList(resolve(dirname(file), keys)),
    settings,
  };
}

async function readKeyList(file: string): Promise<string> {
  const list: unknown = JSON.parse(await readFile(file, 'utf8'));
  // As the function will: what it can't read, and a private key above all, is not deployed.
  await KeyList.parse(list);
  return JSON.stringify(list);
}
