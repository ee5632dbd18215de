import { SchedulerError } from '../scheduler.ts';
import type { SlurmSettings } from './config.ts';

/**
 * What Slurm calls each resource. Throws `SchedulerError` where two resources would be one licence: each would set the
 * other's total.
 */
export function licenceNames(
  resources: readonly { readonly name: string }[],
  { licences }: Pick<SlurmSettings, 'licences'>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { name } of resources) {
    const licence = licences[name] ?? name;
    const owner = owners.get(licence);
    if (owner !== undefined) {
      throw new SchedulerError(
        `naming the licences: ${owner} and ${name} are both ${licence} in Slurm; correct scheduler.licences in the gateway's config`,
      );
    }
    owners.set(licence, name);
    names.set(name, licence);
  }
  return names;
}
