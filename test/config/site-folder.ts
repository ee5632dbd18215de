import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { formatFault, FileFaults, type Fault } from '../../shared/config/fault.ts';
import { loadSiteFile } from '../../shared/config/load.ts';

/** A site file without fault; tests change one thing in it. */
export const soundSite = `site: austin
providers:
  - name: burst
    kind: pool
    offers:
      hfsshpc:
        capacity: 96
        block: 1
        minimumHold: 1h
        costPerTokenHour: 0.3
resources:
  hfsshpc:
    shared: true
    total: 40
    elastic:
      providers: [burst]
      maxBorrowed: 96
      returnAfter: 10m
  aa_r:
    shared: true
    total: 4
`;

/** A folder that lasts as long as the test. */
export async function siteFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'site-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The faults of a site file. */
export async function faultsIn(path: string): Promise<readonly Fault[]> {
  return loadSiteFile(path).then(
    () => [],
    (error: unknown) => {
      if (error instanceof FileFaults) return error.faults;
      throw error;
    },
  );
}

/** The faults of `site.yaml` in a folder with these files, each as one line without its folder. */
export async function faultLines(files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  const faults = await faultsIn(join(await siteFolder(files), 'site.yaml'));
  return faults.map((fault) => formatFault({ ...fault, file: basename(fault.file) }));
}

/** What is written in the sound site, what stands there instead, and the one fault that it makes. */
export type Mistake = readonly [kind: string, written: string, instead: string, fault: string];

/** One test for each mistake. */
export function eachIsFound(mistakes: readonly Mistake[]): void {
  it.each(mistakes)('%s', async (_kind, written, instead, fault) => {
    expect(soundSite).toContain(written);
    expect(await faultLines({ 'site.yaml': soundSite.replace(written, instead) })).toEqual([`site.yaml:${fault}`]);
  });
}
