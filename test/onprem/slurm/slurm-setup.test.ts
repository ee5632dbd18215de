import { describe, expect, it } from 'vitest';
import { readSetup, requireParameter } from '../../../onprem/slurm/slurm-setup.ts';

/** Lines of `scontrol show config` as Slurm 22.05.8 prints them. */
const shown = (authInfo: string, parameters = '(null)'): string => `Configuration data as of 2026-12-01T14:45:12
AuthAltTypes            = (null)
AuthInfo                = ${authInfo}
AuthType                = auth/munge
ClusterName             = lab
SchedulerParameters     = ${parameters}
SchedulerTimeSlice      = 30 sec
`;

describe('what slurmctld runs with', () => {
  it.each([
    ['socket=/run/munge.sock,ttl=20', 20],
    ['ttl=60,cred_expire=120', 60],
    ['(null)', 300],
    ['socket=/run/munge.sock', 300],
    // MUNGE takes its own lifetime.
    ['ttl=0', 300],
  ])('takes requests with AuthInfo %s for %i seconds', async (authInfo, credentialSeconds) => {
    expect(await readSetup(async () => shown(authInfo))).toMatchObject({ cluster: 'lab', credentialSeconds });
  });

  it('is refused without a parameter that a gateway needs', async () => {
    const setup = await readSetup(async () => shown('(null)', 'allow_zero_lic,bf_interval=30'));
    expect(() => requireParameter(setup, 'allow_zero_lic', 'jobs wait')).not.toThrow();
    expect(() => requireParameter(setup, 'bf_continue', 'cycles are cut short')).toThrow(
      'cycles are cut short; add bf_continue to SchedulerParameters in slurm.conf',
    );
  });
});
