import { slurmSettings, type SlurmSettings } from '../../../../onprem/slurm/config.ts';
import { SlurmScheduler } from '../../../../onprem/slurm/slurm-scheduler.ts';
import { systemClock } from '../../../../shared/adapters/system-clock.ts';
import type { SlurmLab } from '../../../slurm-lab/lab.ts';

/** The resource of the tests, and its licence. */
export const resource = 'vcs';
export const licence = 'vcs_runtime@flex1';
export const ceiling = 20;

const silent = { info: () => undefined, warn: () => undefined, alarm: () => undefined };

/** The scheduler of a gateway whose only resource has the licence `vcs_runtime@flex1`. */
export function connect(
  lab: Pick<SlurmLab, 'environment'>,
  settings: Partial<SlurmSettings> = {},
): Promise<SlurmScheduler> {
  return SlurmScheduler.connect(
    slurmSettings.parse({
      kind: 'slurm',
      licences: { [resource]: licence },
      configuration: lab.environment['SLURM_CONF'],
      ...settings,
    }),
    { resources: [{ name: resource, owned: 10, ceiling, elastic: true }], clock: systemClock, log: silent },
  );
}
