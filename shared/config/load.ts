import type { SitePolicy } from '../domain/model.ts';
import { inconsistencies } from './consistency.ts';
import {
  controllerConfigOf,
  fixedResourcesOf,
  policyOf,
  poolsOf,
  type ControllerConfig,
  type FixedResource,
  type PoolConfig,
} from './derive.ts';
import { digestOf } from './digest.ts';
import { FileFaults } from './fault.ts';
import { readWithResources } from './read-with-resources.ts';
import { siteFile, wholeSite, type SiteFile } from './schema.ts';
import { valueAt } from './shape.ts';
import { describeValue } from './wording.ts';

export interface LoadedSite {
  /** With its resources in place and every default filled in. */
  readonly file: SiteFile;
  /** The same before the defaults. */
  readonly written: unknown;
  readonly policy: SitePolicy;
  /** SHA-256 in hexadecimal of the policy. */
  readonly policyDigest: string;
  readonly fixed: readonly FixedResource[];
  readonly controllerConfig: ControllerConfig;
  readonly pools: readonly PoolConfig[];
}

/**
 * Reads a site file and the resources file that it may name.
 * @throws FileFaults with everything that is wrong in either.
 */
export async function loadSiteFile(path: string): Promise<LoadedSite> {
  const { settings, resources, written, faults } = await readWithResources(path, { own: siteFile, whole: wholeSite });
  for (const { path: place, at, found, expected } of inconsistencies(written)) {
    const yaml = place[0] === 'resources' ? resources : settings;
    faults.push(yaml.fault(place, found ?? describeValue(valueAt(written, place)), expected, at));
  }
  if (faults.length > 0) throw new FileFaults('site file', path, faults);
  return assembleSite(written);
}

/** The site that settings without faults describe. Throws zod's `ZodError` on any other. */
export function assembleSite(written: unknown): LoadedSite {
  const file = wholeSite.parse(written);
  const policy = policyOf(file);
  return {
    file,
    written,
    policy,
    policyDigest: digestOf(policy),
    fixed: fixedResourcesOf(file),
    controllerConfig: controllerConfigOf(file),
    pools: poolsOf(file),
  };
}
