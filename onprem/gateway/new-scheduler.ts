import type { ControllerConfig } from '../../shared/config/derive.ts';
import type { Clock, Log } from '../../shared/ports.ts';
import { CommandScheduler } from '../command/command-scheduler.ts';
import type { Scheduler } from '../scheduler.ts';
import { SlurmScheduler } from '../slurm/slurm-scheduler.ts';
import type { GatewayFile } from './config.ts';

export interface SchedulerParts {
  readonly config: ControllerConfig;
  /** Paths in the settings are taken from here. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The scheduler that a gateway file names. Rejects with `SchedulerError` where it can't be asked or is not set up for it. */
export async function newScheduler(settings: GatewayFile['scheduler'], parts: SchedulerParts): Promise<Scheduler> {
  const { config, directory, clock, log } = parts;
  switch (settings.kind) {
    case 'slurm':
      return SlurmScheduler.connect(settings, { resources: config.resources, clock, log });
    case 'command':
      return new CommandScheduler(settings, { resources: config.resources.map(({ name }) => name), directory, clock });
  }
}
