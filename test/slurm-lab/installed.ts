import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const programs = ['setpriv', 'munged', 'mariadbd', 'slurmdbd', 'slurmctld', 'slurmd', 'sacctmgr', 'squeue'];
const directories = (process.env.PATH ?? '').split(delimiter);
const missing = programs.filter((program) => !directories.some((directory) => existsSync(join(directory, program))));
if (process.getuid?.() !== 0) missing.push('root');

/** Whether a lab can run here. Tests that need one are skipped where it can't, and their title says so (`orSlurmSkipped`). */
export const slurmIsInstalled = missing.length === 0;
const mend = `no ${missing.join(', ')}; run test/slurm-lab/install.sh as root`;
export const orSlurmSkipped = slurmIsInstalled ? '' : ` (skipped: ${mend})`;

// Nobody shall take tests that were skipped for tests that have passed.
if (!slurmIsInstalled && process.env.CI === 'true') throw new Error(`looking for Slurm in CI: ${mend}`);
