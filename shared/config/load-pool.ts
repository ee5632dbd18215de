import { KeyInvalid, KeyList, type Role } from '../adapters/signing/keys.ts';
import type { Tokens } from '../domain/model.ts';
import type { PoolOffer } from '../pool/offer.ts';
import { poolOffersOf } from './derive.ts';
import { FileFaults, type Fault } from './fault.ts';
import { poolInconsistencies } from './pool-faults.ts';
import { poolFile, type PoolFile } from './pool-file.ts';
import { toList, toMap } from './raw.ts';
import { readable, readText, UnreadableFile } from './read-text.ts';
import { beside, readOrFault } from './read-with-resources.ts';
import { shapeFaults, valueAt } from './shape.ts';
import { describeValue } from './wording.ts';
import type { YamlFile } from './yaml-file.ts';
import type { Path } from './yaml-tree.ts';

export interface LoadedPool {
  readonly name: string;
  readonly offers: readonly PoolOffer[];
  readonly sites: readonly PoolSite[];
  /** The public keys of all sites and operators, as `KeyList.parse` takes them. */
  readonly keys: { readonly keys: readonly unknown[] };
  readonly deploy: PoolFile['deploy'];
}

export interface PoolSite {
  readonly site: string;
  /** 12 digits. */
  readonly account: string;
  readonly externalId: string;
  /** By resource: most tokens lent to this site at once, in place of the offer's own maximum. */
  readonly maximum: Readonly<Record<string, Tokens>>;
}

/**
 * Reads a pool file and the files of public keys that it names.
 * @throws FileFaults with everything that is wrong in any of them.
 */
export async function loadPoolFile(path: string): Promise<LoadedPool> {
  const yaml = await readOrFault(path, (found) => ({
    file: path,
    line: 1,
    column: 1,
    path: '',
    found,
    expected: readable,
  }));
  const written = toMap(yaml.value);
  const faults = [
    ...yaml.faults,
    ...shapeFaults(poolFile, yaml),
    ...Array.from(poolInconsistencies(written), ({ path, at, found, expected }) =>
      yaml.fault(path, found ?? describeValue(valueAt(written, path)), expected, at),
    ),
  ];
  if (faults.length > 0) throw new FileFaults('pool file', path, faults);

  const file = poolFile.parse(written);
  const lists = await Promise.all(keyFilesOf(file).map((keys) => readKeys(path, yaml, keys)));
  const keys = lists.flatMap((list) => list.keys);
  const keyFaults = lists.flatMap((list) => list.faults);
  if (keyFaults.length === 0) keyFaults.push(...(await sharedKeyFaults(yaml, keys)));
  if (keyFaults.length > 0) throw new FileFaults('pool file', path, keyFaults);

  const sites = Object.entries(file.sites).map(([site, { account, externalId, maximum }]) => ({
    site,
    account,
    externalId,
    maximum,
  }));
  return { name: file.pool, offers: poolOffersOf(file.offers), sites, keys: { keys }, deploy: file.deploy };
}

/** Where a key file is named, and whose keys alone it may hold: a site must not speak for another. */
interface KeyFile {
  readonly path: Path;
  readonly name: string;
  readonly role: Role;
  readonly subject?: string;
}

function keyFilesOf({ sites, operators }: PoolFile): KeyFile[] {
  const ofSites = Object.entries(sites).map(([subject, { keys }]): KeyFile => {
    return { path: ['sites', subject, 'keys'], name: keys, role: 'site', subject };
  });
  return operators === undefined ? ofSites : [...ofSites, { path: ['operators'], name: operators, role: 'operator' }];
}

async function readKeys(
  poolPath: string,
  yaml: YamlFile,
  { path, name, role, subject }: KeyFile,
): Promise<{ keys: readonly unknown[]; faults: readonly Fault[] }> {
  const expected = `public keys of the role ${role}${subject === undefined ? '' : ` of ${subject}`} and no others`;
  const faulty = (found: string) => ({
    keys: [],
    faults: [yaml.fault(path, `${describeValue(name)}, ${found}`, expected)],
  });
  try {
    const json: unknown = JSON.parse(await readText(beside(poolPath, name)));
    const { keys } = await KeyList.parse(json);
    const other = keys.find((key) => key.role !== role || (subject !== undefined && key.subject !== subject));
    if (other !== undefined) return faulty(`which holds a key of the role ${other.role} of ${other.subject}`);
    return { keys: toList(toMap(json)['keys']), faults: [] };
  } catch (error) {
    if (error instanceof UnreadableFile) return faulty(error.found);
    // What a parser quotes of a file may be a private key.
    if (error instanceof SyntaxError) return faulty('which is not JSON');
    if (error instanceof KeyInvalid) return faulty(`which is no key list (${error.message})`);
    throw error;
  }
}

/** Each file is sound by itself; one key in two of them would speak for two. */
async function sharedKeyFaults(yaml: YamlFile, keys: readonly unknown[]): Promise<Fault[]> {
  try {
    await KeyList.parse({ keys });
    return [];
  } catch (error) {
    if (!(error instanceof KeyInvalid)) throw error;
    return [yaml.fault(['sites'], `files that share a key (${error.message})`, 'keys that each have one holder')];
  }
}
