import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadSiteFile, type LoadedSite } from '../../shared/config/load.ts';
import type { Instant } from '../../shared/domain/model.ts';
import { writeJobs, type TraceJob } from '../../shared/traces/job.ts';

export const start: Instant = Date.parse('2026-01-05T08:00:00Z');
export const second = 1_000;
export const minute = 60 * second;

/** Owns 8 tokens, and borrows up to 64 in eights. */
const siteFile = `site: munich
providers:
  - name: burst
    kind: pool
    offers:
      hfsshpc: { capacity: 64, block: 8, minimumHold: 5m, partialReturns: true, costPerTokenHour: 0.3 }
resources:
  hfsshpc:
    shared: true
    total: 8
    elastic: { providers: [burst], maxBorrowed: 64, borrowAfter: 0s, returnAfter: 2m, linger: 30s }
`;

/** Both ways in which the site's calls come to its controller, as changes to the text of the site file. */
export const pushed = (text: string): string => text;
export const pulled = (text: string): string => `controller: { delivery: pull }\n${text}`;

export interface MadeSite {
  readonly site: LoadedSite;
  readonly file: string;
  /** For the data of its run. */
  readonly directory: string;
}

/** A folder that lasts as long as the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'esr-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** `change` is made to the text of the site file. */
export async function madeSite(change: (text: string) => string = (text) => text): Promise<MadeSite> {
  const folder = await newFolder();
  const file = join(folder, 'site.yaml');
  await writeFile(file, change(siteFile));
  return { site: await loadSiteFile(file), file, directory: join(folder, 'data') };
}

export function job(submit: Instant, hfsshpc: number, runSeconds: number): TraceJob {
  return { submit, needs: { hfsshpc }, runSeconds };
}

/** A trace file beside the site file. */
export async function traceFile({ file }: MadeSite, jobs: readonly TraceJob[]): Promise<string> {
  const trace = `${file}.jsonl`;
  await writeFile(trace, [...writeJobs(jobs)].join(''));
  return trace;
}
