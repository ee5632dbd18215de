import type { Tokens } from '../../shared/domain/model.ts';
import { SchedulerError } from '../scheduler.ts';

/** A cluster's part of a remote licence, as slurmdbd has it. */
interface Part {
  readonly cluster: string;
  /** Percent of the count, or tokens where the licence has the flag Absolute. */
  readonly allowed: number;
  readonly absolute: boolean;
}

/**
 * Arguments of `sacctmgr` that give the cluster a total, out of what `sacctmgr -P show resource withclusters` prints.
 * Slurm 22.05 has percentages alone: the total is floor(count × percent / 100), so the count is chosen to give it. From
 * 23.02 on the percentage may be an absolute number (`Flags=Absolute`), and then it alone is set.
 * @throws SchedulerError where other clusters would get another total too
 */
export function settingTotal(text: string, licence: string, cluster: string, total: Tokens): readonly string[] {
  const [name, server] = licence.split('@');
  const doing = `setting the total of ${licence}`;
  if (name === undefined || server === undefined) {
    throw new SchedulerError(
      `${doing}: a licence without @SERVER has its total in slurm.conf; set scheduler.totals to hold, or make it a remote licence`,
    );
  }
  const parts = partsOf(text, name, server);
  const own = parts.find((part) => part.cluster === cluster);
  if (own === undefined || own.allowed === 0) {
    throw new SchedulerError(
      `${doing}: slurmdbd gives none of it to the cluster ${cluster}; ` +
        `add it: sacctmgr add resource name=${name} server=${server} type=license count=1 percentallowed=100 cluster=${cluster}`,
    );
  }
  const modify = ['-i', 'modify', 'resource', `name=${name}`, `server=${server}`];
  if (own.absolute) return [...modify, `cluster=${cluster}`, 'set', `allowed=${total}`];
  const others = parts.filter((part) => part !== own).map((part) => part.cluster);
  if (others.length > 0) {
    throw new SchedulerError(
      `${doing}: ${others.join(', ')} would get another total too, as a percentage of the same count; ` +
        "give each cluster a licence of its own, or set the licence's flag Absolute (Slurm 23.02 and later)",
    );
  }
  return [...modify, 'set', `count=${Math.ceil((100 * total) / own.allowed)}`];
}

/** Columns are found by their titles: later versions have more of them, and name them `Allowed` for `% Allowed`. */
function partsOf(text: string, name: string, server: string): Part[] {
  const [titles = [], ...rows] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('|'));
  const column = (title: string): number => titles.findIndex((written) => written.replace('% ', '') === title);
  const columns = {
    name: column('Name'),
    server: column('Server'),
    cluster: column('Cluster'),
    allowed: column('Allowed'),
  };
  const flags = column('Flags');
  return rows
    .filter((row) => row[columns.name] === name && row[columns.server] === server && row[columns.cluster] !== '')
    .map((row) => ({
      cluster: row[columns.cluster] ?? '',
      allowed: Number(row[columns.allowed]),
      absolute: (row[flags] ?? '').split(',').includes('Absolute'),
    }));
}
