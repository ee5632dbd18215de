import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingTotal } from '../../../onprem/slurm/remote-licence.ts';

/** As 22.05.8 prints them. */
const percentages = `Name|Server|Type|Count|% Allocated|ServerType|Cluster|% Allowed
vcs_runtime|flex1|License|10|100|flexlm|lab|100
verdi|flex2|License|3|50|flexlm|lab|50
nastran|flex1|License|100|100|flexlm|fluid|50
nastran|flex1|License|100|100|flexlm|lab|50
matlab|rlm|License|50|100|rlm|fluid|100
`;

/** As the licences guide of 23.02 and later has them. */
const absolute = `Name|Server|Type|Count|LastConsumed|Allocated|ServerType|Cluster|Allowed|Flags
nastran|flex_host|License|100|0|100|flexlm|lab|100|
deluxe|flex_host|License|150|0|140|flexlm|fluid|70|Absolute
deluxe|flex_host|License|150|0|140|flexlm|lab|70|Absolute
`;

describe('setting the total of a remote licence', () => {
  it('sets the count where the cluster has all of it', () => {
    expect(settingTotal(percentages, 'vcs_runtime@flex1', 'lab', 12)).toEqual(
      '-i modify resource name=vcs_runtime server=flex1 set count=12'.split(' '),
    );
    expect(settingTotal(absolute, 'nastran@flex_host', 'lab', 0)).toEqual(
      '-i modify resource name=nastran server=flex_host set count=0'.split(' '),
    );
  });

  it('chooses a count of which the percentage is just the total', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 10_000_000 }), (percent, total) => {
        const text = `Name|Server|Cluster|% Allowed\nverdi|flex2|lab|${percent}\n`;
        const count = Number(/count=(\d+)/.exec(settingTotal(text, 'verdi@flex2', 'lab', total).join(' '))?.[1]);
        // As Slurm computes it.
        expect(Math.floor((count * percent) / 100)).toBe(total);
        expect(count * percent).toBeLessThan(2 ** 32);
      }),
    );
  });

  it("sets the cluster's own number where it is absolute, whoever else has the licence", () => {
    expect(settingTotal(absolute, 'deluxe@flex_host', 'lab', 30)).toEqual(
      '-i modify resource name=deluxe server=flex_host cluster=lab set allowed=30'.split(' '),
    );
  });

  it.each([
    ['of which another cluster has a percentage', 'nastran@flex1', 'fluid would get another total too'],
    ['that another cluster has', 'matlab@rlm', 'slurmdbd gives none of it to the cluster lab; add it'],
    ['that nobody has', 'hfss@flex1', 'slurmdbd gives none of it to the cluster lab; add it'],
    ['that is in slurm.conf', 'vcs_runtime', 'set scheduler.totals to hold'],
  ])('refuses a licence %s', (_, licence, words) => {
    expect(() => settingTotal(percentages, licence, 'lab', 1)).toThrow(words);
  });
});
