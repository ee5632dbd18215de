import { describe, expect, it } from 'vitest';
import { licenceNames } from '../../../onprem/slurm/licence-names.ts';

const resources = [{ name: 'vcs' }, { name: 'verdi' }];

describe('the names of licences in Slurm', () => {
  it('are those of the settings, or of the resources themselves', () => {
    expect([...licenceNames(resources, { licences: { vcs: 'vcs_runtime@flex1' } })]).toEqual([
      ['vcs', 'vcs_runtime@flex1'],
      ['verdi', 'verdi'],
    ]);
  });

  it('are refused where two resources would be one licence', () => {
    expect(() => licenceNames(resources, { licences: { vcs: 'verdi' } })).toThrow('vcs and verdi are both verdi');
  });
});
