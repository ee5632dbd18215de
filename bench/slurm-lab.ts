import type { Scheduler } from '../onprem/scheduler.ts';
import { slurmSettings, type SlurmSettings } from '../onprem/slurm/config.ts';
import { SlurmScheduler } from '../onprem/slurm/slurm-scheduler.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import type { ControllerConfig } from '../shared/config/derive.ts';
import { slurmIsInstalled } from '../test/slurm-lab/installed.ts';
import { startSlurmLab, type SlurmLab } from '../test/slurm-lab/lab.ts';
import type { SlurmLabOptions } from '../test/slurm-lab/options.ts';
import type { Row } from './benchmark.ts';

export const licenceOf = (resource: string): string => `${resource}@bench`;

/** Runs `measure` where a Slurm can run; else one row says that it can't. */
export async function whereSlurmIs(measure: string, run: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  if (slurmIsInstalled) return run();
  const how = 'a Slurm of our own needs root and what test/slurm-lab/install.sh installs';
  return [{ measure, figure: 'skipped', how }];
}

/** Gives `work` a Slurm of its own, which is stopped afterwards. */
export async function withSlurmLab<T>(
  options: Partial<SlurmLabOptions>,
  work: (lab: SlurmLab) => Promise<T>,
): Promise<T> {
  const lab = await startSlurmLab(options);
  try {
    return await work(lab);
  } finally {
    await lab.stop();
  }
}

/** As the gateway speaks to it. */
export function connectTo(
  { environment }: SlurmLab,
  totals: SlurmSettings['totals'],
  resources: ControllerConfig['resources'],
): Promise<Scheduler> {
  const licences = Object.fromEntries(resources.map(({ name }) => [name, licenceOf(name)]));
  const settings = slurmSettings.parse({ kind: 'slurm', licences, totals, configuration: environment['SLURM_CONF'] });
  return SlurmScheduler.connect(settings, { resources, clock: systemClock, log: silent });
}

const silent = { info: () => {}, warn: () => {}, alarm: () => {} };
