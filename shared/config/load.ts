import { dirname, isAbsolute, join } from 'node:path';
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
import { SiteFileFaults, type Fault } from './fault.ts';
import { toMap } from './raw.ts';
import { readable, UnreadableFile } from './read-text.ts';
import { resourcesFile } from './resource.ts';
import { siteFile, wholeSite, type SiteFile } from './schema.ts';
import { shapeFaults, valueAt } from './shape.ts';
import { describeValue } from './wording.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';

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
 * @throws SiteFileFaults with everything that is wrong in either.
 */
export async function loadSiteFile(path: string): Promise<LoadedSite> {
  const site = await readOrFault(path, (found) => ({
    file: path,
    line: 1,
    column: 1,
    path: '',
    found,
    expected: readable,
  }));
  const settings = toMap(site.value);
  const named = typeof settings.resources === 'string' ? settings.resources : undefined;
  const resources =
    named === undefined
      ? site
      : await readOrFault(isAbsolute(named) ? named : join(dirname(path), named), (found) =>
          site.fault(['resources'], `${describeValue(named)}, ${found}`, readable),
        );
  const written = { ...settings, resources: toMap(resources.value).resources };

  const faults = [
    ...site.faults,
    ...shapeFaults(named === undefined ? wholeSite : siteFile, site),
    ...(named === undefined ? [] : [...resources.faults, ...shapeFaults(resourcesFile, resources)]),
    ...Array.from(inconsistencies(written), ({ path, at, found, expected }) => {
      const yaml = path[0] === 'resources' ? resources : site;
      return yaml.fault(path, found ?? describeValue(valueAt(written, path)), expected, at);
    }),
  ];
  if (faults.length > 0) throw new SiteFileFaults(path, faults);

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

/** A file that cannot be read is a fault like any other. */
async function readOrFault(file: string, faultOf: (found: string) => Fault): Promise<YamlFile> {
  try {
    return await readYamlFile(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const fault = faultOf(error.found);
    return { value: undefined, faults: [fault], fault: () => fault };
  }
}
