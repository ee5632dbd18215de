import { describe, expect, it } from 'vitest';
import { slurmSettings } from '../../../onprem/slurm/config.ts';

describe('the settings of a Slurm cluster', () => {
  it('need nothing but the kind', () => {
    expect(slurmSettings.parse({ kind: 'slurm' })).toEqual({
      kind: 'slurm',
      licences: {},
      totals: 'count',
      commandTimeout: '15s',
    });
  });

  it.each(['vcs_runtime@flex1', 'vcs_runtime', 'ansys-hfss.2@27000.flex'])('take the licence %s', (licence) => {
    expect(slurmSettings.parse({ kind: 'slurm', licences: { vcs: licence } }).licences).toEqual({ vcs: licence });
  });

  // Each would be more than a name on the command line of sacctmgr or scontrol.
  it.each(['vcs:4', 'vcs,verdi', 'vcs|verdi', 'vcs@a@b', 'vcs set', ''])('refuse the licence "%s"', (licence) => {
    expect(slurmSettings.safeParse({ kind: 'slurm', licences: { vcs: licence } }).success).toBe(false);
  });
});
