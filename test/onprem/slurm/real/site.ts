import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'vitest';
import { readSiteBundle } from '../../../../functions/site-bundle.ts';
import { HttpClient } from '../../../../shared/adapters/http/client.ts';
import { HttpProvider } from '../../../../shared/adapters/provider/http-provider.ts';
import { loadSigningKey } from '../../../../shared/adapters/signing/keys.ts';
import { historyPage, type HistoryEntryAnswer } from '../../../../shared/contracts/status-history.ts';
import type { LocalKeys } from '../../../../shared/local/local-keys.ts';
import { bundleFile } from '../../../../shared/local/local-site.ts';
import { Status } from '../../../local/status.ts';
import { freePorts } from '../../../slurm-lab/free-ports.ts';
import { startSlurmLab, type SlurmLab } from '../../../slurm-lab/lab.ts';
import { run } from '../../../slurm-lab/run.ts';
import { Part } from './part.ts';

export const licence = 'hfsshpc@flex1';
export const owned = 10;
export const maxBorrowed = 40;
const capacity = 64;
const loggedCharacters = 12_000;
/** After a restart a gateway lowers nothing as long as an earlier request may still be taken; by default that is 300 s. */
const credentialSeconds = 20;

const siteFile = (controllerPort: number): string => `site: lab
controller: { url: 'http://127.0.0.1:${controllerPort}' }
providers:
  - name: burst
    kind: pool
    offers:
      hfsshpc: { capacity: ${capacity}, block: 4, minimumHold: 1m, partialReturns: true, costPerTokenHour: 0.3 }
resources: resources.yaml
`;

const resourcesFile = `resources:
  hfsshpc:
    shared: true
    total: ${owned}
    elastic: { providers: [burst], maxBorrowed: ${maxBorrowed}, returnAfter: 1m, linger: 0s }
`;

interface GatewayPlaces {
  readonly totals: Totals;
  readonly slurmConf: string;
  readonly controllerPort: number;
  readonly statusPort: number;
}

const gatewayFile = ({ totals, slurmConf, controllerPort, statusPort }: GatewayPlaces): string => `site: lab
resources: resources.yaml
scheduler: { kind: slurm, licences: { hfsshpc: ${licence} }, totals: ${totals}, configuration: ${slurmConf} }
listen: { port: ${controllerPort} }
callers: site/callers.json
data: gateway
demand: { url: 'http://127.0.0.1:${statusPort}/v1/demand', key: site/controller.private.json }
`;

export type Totals = 'count' | 'hold';

/** What can be killed. `site`: the functions, the pool and their database, which are one process with its child. */
export const partNames = ['slurmctld', 'slurmdbd', 'mariadbd', 'gateway', 'site'] as const;
export type PartName = (typeof partNames)[number];

/** A total that the gateway has accepted. */
export interface AcceptedTotal {
  readonly total: number;
  readonly epoch: number;
  readonly sequence: number;
}

/** A Slurm, the gateway beside it and the site, each in processes of its own. */
export interface SlurmSite {
  readonly lab: SlurmLab;
  readonly status: Status;
  readonly gateway: Part;
  /** When slurmctld was killed: it forgets what happened in the seconds before. */
  readonly forgotAt: readonly number[];
  /** Of hfsshpc, as slurmctld shows it. */
  counted(): Promise<{ readonly total: number; readonly used: number }>;
  /** By the gateway's disk: every one so far, oldest first. */
  accepted(): Promise<readonly AcceptedTotal[]>;
  /** By the pool: tokens that are lent, by grant. */
  lent(): Promise<ReadonlyMap<string, number>>;
  /** By the ledger, oldest first. */
  history(): Promise<readonly HistoryEntryAnswer[]>;
  /** All that the functions have logged. */
  siteLog(): Promise<string>;
  submit(tokens: number, runSeconds: number): Promise<string>;
  /** By SIGKILL. */
  kill(part: PartName): Promise<void>;
  /** Resolves when the part answers. */
  start(part: PartName): Promise<void>;
}

/** It ends with the test, and prints its logs where that has failed. */
export async function startSlurmSite(
  totals: Totals,
  { onTestFinished, task }: Pick<TestContext, 'onTestFinished' | 'task'>,
): Promise<SlurmSite> {
  const lab = await startSlurmLab(
    totals === 'count'
      ? { licences: { [licence]: owned }, schedulerParameters: 'allow_zero_lic,sched_interval=1' }
      : { licences: { [licence]: owned + maxBorrowed }, schedulerParameters: 'bf_continue,sched_interval=1' },
  );
  const folder = await mkdtemp(join(tmpdir(), 'slurm-site-'));
  const data = join(folder, 'site');
  const log = join(folder, 'site.log');
  const [controllerPort = 0, statusPort = 0] = await freePorts(2);
  const slurmConf = lab.environment['SLURM_CONF'] ?? '';
  await shortenCredentials(lab, slurmConf);
  const gateway = new Part(['gateway', '--config', join(folder, 'gateway.yaml')], /the gateway listens on/);
  const site = new Part(
    ['local', join(folder, 'site.yaml'), '--port', `${statusPort}`, '--data', data, '--json', '--log', log],
    /"started"/,
  );

  onTestFinished(async () => {
    if (task.result?.state === 'fail') {
      console.error(`gateway:\n${gateway.output.slice(-loggedCharacters)}`);
      for (const file of [log, join(dirname(slurmConf), 'slurmctld.log'), join(dirname(slurmConf), 'slurmdbd.log')]) {
        console.error(`${file}:\n${(await readFile(file, 'utf8').catch(String)).slice(-loggedCharacters)}`);
      }
    }
    await Promise.all([gateway.kill(), site.kill()]);
    await lab.stop();
    await rm(folder, { recursive: true });
  });

  await writeFile(join(folder, 'site.yaml'), siteFile(controllerPort));
  await writeFile(join(folder, 'resources.yaml'), resourcesFile);
  await writeFile(join(folder, 'gateway.yaml'), gatewayFile({ totals, slurmConf, controllerPort, statusPort }));
  // It makes the keys that the gateway is started with.
  await site.start();
  await gateway.start();

  const forgotAt: number[] = [];
  return {
    lab,
    gateway,
    status: new Status(`http://127.0.0.1:${statusPort}`),
    counted: () => counted(lab),
    accepted: () => accepted(join(folder, 'gateway', 'journal.jsonl')),
    lent: () => lent(data),
    history: () => history(`http://127.0.0.1:${statusPort}`),
    submit: (tokens, runSeconds) => lab.slurm.submit({ licences: `${licence}:${tokens}`, runSeconds }),
    siteLog: () => readFile(log, 'utf8'),
    forgotAt,
    async kill(part) {
      if (part === 'slurmctld') forgotAt.push(Date.now());
      await (isEsr(part) ? { gateway, site }[part].kill() : lab.kill(part, 'SIGKILL'));
    },
    start: (part) => (isEsr(part) ? { gateway, site }[part].start() : lab.start(part)),
  };
}

async function shortenCredentials({ environment }: SlurmLab, slurmConf: string): Promise<void> {
  const text = await readFile(slurmConf, 'utf8');
  await writeFile(slurmConf, text.replace(/^AuthInfo=.*$/m, `$&,ttl=${credentialSeconds}`));
  await run(environment, 'scontrol', 'reconfigure');
}

function isEsr(part: PartName): part is 'gateway' | 'site' {
  return part === 'gateway' || part === 'site';
}

async function counted({ environment }: SlurmLab): Promise<{ total: number; used: number }> {
  const text = await run(environment, 'scontrol', '--oneliner', 'show', 'licenses', licence);
  const found = /Total=(\d+) Used=(\d+) Free=\d+ Reserved=(\d+)/.exec(text);
  if (found === null) throw new Error(`reading what slurmctld counts of ${licence}: found ${text}`);
  const [total = 0, used = 0, reserved = 0] = found.slice(1).map(Number);
  // What a reservation holds, no job can have.
  return { total: total - reserved, used };
}

async function accepted(journal: string): Promise<AcceptedTotal[]> {
  const lines = (await readFile(journal, 'utf8')).split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    const { change } = JSON.parse(line.slice(line.indexOf(' ')));
    return change?.kind === 'total' || change?.kind === 'raising' ? [change.total] : [];
  });
}

async function lent(data: string): Promise<ReadonlyMap<string, number>> {
  // Its address is another one after each start.
  const { providers } = await readSiteBundle(bundleFile(data));
  const { own }: LocalKeys = JSON.parse(await readFile(join(data, 'keys.json'), 'utf8'));
  const client = new HttpClient({ key: await loadSigningKey(own.site), subject: 'lab', audience: 'burst' });
  const pool = new HttpProvider({ name: 'burst', client, url: providers[0]?.url ?? '', site: 'lab' });
  const { grants } = await pool.list();
  return new Map(grants.flatMap((grant) => (grant.state === 'lent' ? [[grant.id, grant.tokens]] : [])));
}

async function history(url: string): Promise<HistoryEntryAnswer[]> {
  const entries: HistoryEntryAnswer[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const answer = await fetch(`${url}/v1/resources/hfsshpc/history?limit=500${query}`);
    const page = historyPage.parse(await answer.json());
    entries.push(...page.entries);
    cursor = page.next;
  } while (cursor !== undefined);
  return entries;
}
