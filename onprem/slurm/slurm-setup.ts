import { SchedulerError } from '../scheduler.ts';
import type { SlurmCommands } from './commands.ts';

/** What slurmctld runs with. */
export interface SlurmSetup {
  readonly cluster: string;
  /** Each as written, `name` or `name=value`. */
  readonly schedulerParameters: readonly string[];
  /** How long after it was signed a request is taken. */
  readonly credentialSeconds: number;
}

/** MUNGE's own, which holds where slurm.conf names none: `ttl=` in AuthInfo. */
const defaultCredentialSeconds = 300;

/** Rejects with `SchedulerError`. */
export async function readSetup(run: SlurmCommands): Promise<SlurmSetup> {
  const text = await run('scontrol', 'show', 'config');
  const valueOf = (name: string): string | undefined => new RegExp(`^${name} *= (.*\\S)`, 'm').exec(text)?.[1];
  const cluster = valueOf('ClusterName');
  if (cluster === undefined) throw new SchedulerError('reading the configuration of slurmctld: it has no ClusterName');
  const lifetime = /(?:^|,)ttl=([1-9]\d*)/.exec(valueOf('AuthInfo') ?? '')?.[1];
  return {
    cluster,
    schedulerParameters: (valueOf('SchedulerParameters') ?? '').split(','),
    credentialSeconds: lifetime === undefined ? defaultCredentialSeconds : Number(lifetime),
  };
}

/** Throws `SchedulerError` where slurmctld runs without the parameter. */
export function requireParameter({ schedulerParameters }: SlurmSetup, parameter: string, why: string): void {
  if (schedulerParameters.includes(parameter)) return;
  throw new SchedulerError(
    `checking the configuration of slurmctld: ${why}; add ${parameter} to SchedulerParameters in slurm.conf, and run scontrol reconfigure`,
  );
}
