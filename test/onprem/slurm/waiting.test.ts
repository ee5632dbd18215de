import { describe, expect, it } from 'vitest';
import { parseQueue } from '../../../onprem/slurm/squeue.ts';
import { waitingJobs } from '../../../onprem/slurm/waiting.ts';
import { hfss, recordedText, situation, vcs } from './recorded.ts';

describe('what waits for tokens, as Slurm 22.05.8 showed it', () => {
  it('is a job with the reason Licenses, since it became eligible; not one that is held, deferred or dependent', () => {
    expect(situation('held-deferred-dependent').waiting).toEqual([
      { id: '10048', jobs: 1, needs: { [vcs]: 4 }, waitingSince: 1_796_134_748_000 },
    ]);
  });

  it('of an array is every task that has not begun, or as many as may run at once beside those that run', () => {
    expect(situation('array-limit').waiting).toMatchObject([
      { id: '10041', jobs: 1, needs: { [vcs]: 2 } },
      { id: '10042', jobs: 6, needs: { [vcs]: 1 } },
    ]);
  });

  it("needs all licences of its list, except that one too dear or short of somebody else's licence can't start", () => {
    expect(situation('licence-lists', { [vcs]: 10, [hfss]: 10 }).waiting).toMatchObject([
      { id: '10052', needs: { [vcs]: 4, [hfss]: 2 } },
      { id: '10053', needs: { [vcs]: 5, [hfss]: 1 } },
      { id: '10054', needs: { [vcs]: 5 } },
    ]);
  });

  it('may need up to the ceiling', () => {
    expect(situation('licence-lists', { [vcs]: 11 }).ids).toContain('10056');
  });

  it('leaves out what the gateway does not know, as long as there is enough of it', () => {
    const { waiting } = situation('licence-lists', { [vcs]: 10 });
    expect(waiting.find(({ id }) => id === '10052')?.needs).toEqual({ [vcs]: 4 });
  });

  it('is nothing on a full partition where tokens are free', () => {
    expect(situation('full-partition').waiting).toEqual([]);
  });

  it('includes a job behind one that lacks nodes, if it is short of tokens and would find idle CPUs', () => {
    expect(situation('behind-a-job-that-lacks-nodes').ids).toEqual(['10071']);
  });

  it('does not include a job over a limit, in a partition that is down, or too large for its partition', () => {
    expect(situation('limits').ids).toEqual(['10077', '10082']);
    expect(situation('qos-limit').ids).toEqual([]);
  });

  it('is a heterogeneous job as a whole, if all its components together are short of tokens', () => {
    expect(situation('heterogeneous').waiting).toEqual([
      { id: '10084', jobs: 1, needs: { [vcs]: 11, [hfss]: 1 }, waitingSince: 1_796_134_790_000 },
    ]);
    expect(situation('heterogeneous', { [vcs]: 10, [hfss]: 20 }).ids).toEqual([]);
  });

  it('is with bf_licenses also what Slurm has not tested, if it is short of tokens', () => {
    expect(situation('bf-licenses').ids).toEqual(['10104', '10105', '10106', '10107']);
  });

  it('includes the jobs beyond the first hundred, which Slurm does not test', () => {
    const { jobs, ids } = situation('beyond-the-depth');
    expect(jobs.filter(({ state, reason }) => state === 'PENDING' && reason === 'None')).toHaveLength(29);
    expect(ids).toHaveLength(130);
  });

  it('is what a licence reservation keeps from jobs outside of it', () => {
    expect(situation('licence-reservation').ids).toEqual(['10242', '10243']);
  });

  it('is not a job that was put back and held', () => {
    expect(situation('suspended-completing').ids).toEqual([]);
  });
});

describe('what waits for tokens', () => {
  const figures = new Map([
    [vcs, { total: 4, used: 0, free: 4, reserved: 0, remote: true }],
    [hfss, { total: 4, used: 4, free: 0, reserved: 0, remote: true }],
  ]);
  const waitingIn = (queue: string, idle = 64) =>
    waitingJobs(parseQueue(queue).jobs, {
      now: 2000_000,
      resources: new Map([vcs, hfss].map((name) => [name, { ceiling: 10 }])),
      figures,
      idleCpus: new Map([['main', idle]]),
    });
  const line = (id: string, priority = 1, reason = 'Licenses', licences = `${vcs}:5`) =>
    `${id}\tPENDING\t${reason}\t${priority}\t1000\t2\tmain\t${licences}\t`;

  it('comes in the order of priority, the older first of equals', () => {
    const queue = [line('3', 1), line('9', 7), line('8', 7), line('4', 9)].join('\n');
    expect(waitingIn(queue).map(({ id }) => id)).toEqual(['4', '8', '9', '3']);
  });

  it('shares what an array may still run among its lines', () => {
    const queue = [line('5_7'), line('5_[8-20%2]')].join('\n');
    expect(waitingIn(queue)).toMatchObject([
      { id: '5', jobs: 1 },
      { id: '5', jobs: 1 },
    ]);
  });

  it('is nothing of an array that runs as many tasks as it may', () => {
    const running = line('5_1').replace('PENDING', 'RUNNING');
    expect(waitingIn([running, line('5_[2-9%1]')].join('\n'))).toEqual([]);
  });

  it('is an untested job only while it is short of tokens and CPUs are idle', () => {
    expect(waitingIn(line('1', 1, 'Priority'))).toHaveLength(1);
    expect(waitingIn(line('1', 1, 'Priority', `${vcs}:4`))).toEqual([]);
    expect(waitingIn(line('1', 1, 'Priority'), 2)).toHaveLength(1);
    expect(waitingIn(line('1', 1, 'Priority'), 1)).toEqual([]);
    expect(waitingIn(line('1', 1, 'Licenses'), 1)).toHaveLength(1);
  });

  it('is a heterogeneous job that Slurm says lacks nodes, only if it is short of tokens', () => {
    const components = (tokens: number) =>
      [line('7+0', 2, 'Resources', `${vcs}:2`), line('7+1', 1, 'Resources', `${vcs}:${tokens}`)].join('\n');
    expect(waitingIn(components(3))).toMatchObject([{ id: '7', jobs: 1, needs: { [vcs]: 5 } }]);
    expect(waitingIn(components(2))).toEqual([]);
  });

  it('is not a job that will be eligible only later', () => {
    expect(waitingIn(line('1').replace('\t1000\t', '\t2001\t'))).toEqual([]);
  });

  it.each([
    ['Licenses', 1],
    ['None', 1],
    ['Priority', 1],
    ['Resources', 0],
    ['JobArrayTaskLimit', 0],
    ['AssocGrpLicense', 0],
    ['QOSMaxJobsPerUserLimit', 0],
    ['MaxLicensePerAccount', 0],
    ['JobHeldAdmin', 0],
    ['Dependency', 0],
    ['BeginTime', 0],
    ['BadConstraints', 0],
    ['Reservation', 0],
    ['PartitionDown', 0],
    ['ReqNodeNotAvail, UnavailableNodes:n[1-4]', 0],
    ['AWordOfALaterVersion', 0],
  ])('by the reason %s: %i', (reason, jobs) => {
    expect(waitingIn(line('1', 1, reason))).toHaveLength(jobs);
  });

  it('of alternatives is the first that can ever be had', () => {
    const { jobs } = parseQueue(
      recordedText('documented', '25.05-alternatives.queue').replaceAll('vcs@', 'vcs_runtime@'),
    );
    const waiting = waitingJobs(jobs, {
      now: Date.UTC(2026, 11, 2),
      resources: new Map([vcs, hfss].map((name) => [name, { ceiling: 10 }])),
      figures,
      idleCpus: new Map(),
    });
    expect(waiting.map(({ id, needs }) => [id, needs])).toEqual([
      ['12', { [vcs]: 3 }],
      ['13', { [hfss]: 2 }],
      ['14', { [hfss]: 4 }],
    ]);
  });
});
