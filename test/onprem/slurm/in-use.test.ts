import { describe, expect, it } from 'vitest';
import { heldByJobs, holdsLicences } from '../../../onprem/slurm/in-use.ts';
import { parseQueue } from '../../../onprem/slurm/squeue.ts';
import { hfss, recordedText, situation, vcs } from './recorded.ts';

const job = (state: string) =>
  parseQueue(`7\t${state}\tNone\t5\t1796134304\t4\tmain\tvcs@flex1:3\t`).jobs.filter(holdsLicences);

describe('tokens that jobs hold', () => {
  it.each(['array-limit', 'licence-lists', 'held-deferred-dependent', 'limits', 'heterogeneous', 'bf-licenses'])(
    "are as many as Slurm's own count has: %s",
    (name) => {
      const { held, figures } = situation(name);
      for (const [licence, { used }] of figures) expect([licence, held.get(licence) ?? 0]).toEqual([licence, used]);
    },
  );

  it('include those of suspended and of completing jobs, which Slurm counts too', () => {
    const { held, figures } = situation('suspended-completing');
    expect(held.get(vcs)).toBe(4 + 2 + 3);
    expect(figures.get(vcs)?.used).toBe(9);
  });

  it("are known where Slurm's own count has lost them", () => {
    const { held, figures } = situation('used-lost-by-recount');
    expect(held.get(vcs)).toBe(3);
    expect(figures.get(vcs)?.used).toBe(0);
  });

  it.each(['RUNNING', 'SUSPENDED', 'STOPPED', 'CONFIGURING', 'RESIZING', 'SIGNALING', 'COMPLETING', 'NEW_IN_99'])(
    'are held in the state %s',
    (state) => {
      expect(job(state)).toHaveLength(1);
    },
  );

  it.each(['PENDING', 'REQUEUED', 'REQUEUE_FED', 'REQUEUE_HOLD', 'SPECIAL_EXIT', 'RESV_DEL_HOLD', 'REVOKED'])(
    'are not held in the state %s',
    (state) => {
      expect(job(state)).toEqual([]);
    },
  );

  it('are counted for every alternative, as squeue does not say which one a running job took', () => {
    const { jobs } = parseQueue(recordedText('documented', '25.05-alternatives.queue'));
    expect(heldByJobs(jobs)).toEqual(new Map(Object.entries({ 'vcs@flex1': 3, [hfss]: 2 })));
  });
});
