import type { Tokens } from '../../shared/domain/model.ts';
import { SchedulerError } from '../scheduler.ts';

/** One licence as Slurm counts it. */
export interface LicenceFigures {
  readonly total: Tokens;
  readonly used: Tokens;
  /** What is not used, never below 0. From Slurm 23.02 on without what somebody outside of Slurm uses too many of. */
  readonly free: Tokens;
  /** Set aside by licence reservations; part of `free`. */
  readonly reserved: Tokens;
  /** Kept in Slurm's database, as against slurm.conf. */
  readonly remote: boolean;
}

/** Of scontrol, whose 22.05 prints no JSON. Later versions have the same fields and more. */
export const licencesArguments: readonly string[] = ['-o', 'show', 'licenses'];

/**
 * Reads what `scontrol` prints with `licencesArguments`, by the licences' names in Slurm (`name@server` where remote).
 * Fields that later versions add are passed over.
 *
 * @throws SchedulerError when a line is none that Slurm is known to print: no figure can be relied upon then.
 */
export function parseLicences(text: string): Map<string, LicenceFigures> {
  const licences = new Map<string, LicenceFigures>();
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    if (line.startsWith('No licenses configured')) continue;
    const fields = new Map(line.split(/\s+/).map((field) => splitAt(field, '=')));
    const name = fields.get('LicenseName');
    const total = wholeNumber(fields.get('Total'));
    const used = wholeNumber(fields.get('Used'));
    const free = wholeNumber(fields.get('Free'));
    const reserved = wholeNumber(fields.get('Reserved') ?? '0');
    if (name === undefined || total === undefined || used === undefined || free === undefined || reserved === undefined)
      throw new SchedulerError(
        `reading Slurm's licences: scontrol printed "${line}", which is not of a known form; check that scontrol and slurmctld are of one version`,
      );
    licences.set(name, { total, used, free, reserved, remote: fields.get('Remote') === 'yes' });
  }
  return licences;
}

/** Tokens that a job outside of every licence reservation finds free; below 0 when more is reserved than is free. */
export function usableTokens({ free, reserved }: LicenceFigures): number {
  return free - reserved;
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
