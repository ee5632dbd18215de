import { describe, expect, it } from 'vitest';
import { faultless } from '../../shared/simulation/faults.ts';
import { agree, nothingBorrowed } from '../promises/8-it-ends.ts';
import { Deployments } from './deployments.ts';
import { minute } from './lab.ts';
import { smallSite } from './sites.ts';

/** By minute: tokens, and for how many minutes. */
const jobs: ReadonlyMap<number, [tokens: number, minutes: number]> = new Map([
  [2, [12, 4]],
  [3, [8, 3]],
  [8, [16, 6]],
  [11, [6, 4]],
]);

interface Story {
  readonly offer: object;
  /** Until this minute no provider's answer to a request arrives. */
  readonly unansweredUntil: number;
  /** The minute in which the table is lost. */
  readonly lostAt: number;
}

/** A life up to the loss of its table; a backup of it restored as another table; then all that follows, under watch. */
async function liveOnFrom(
  backup: number,
  { offer, unansweredUntil, lostAt }: Story,
): Promise<'lived' | 'no such backup'> {
  const site = smallSite({ returnAfter: '2m', linger: '2m', maxBorrowed: 40 }, offer);
  const deployments = new Deployments(site);
  const { lab, backups } = deployments;
  await deployments.deploy('lost');
  deployments.watch('lost');
  for (let passed = 0; passed < lostAt; passed += 1) {
    lab.faults.dealer = passed < unansweredUntil ? unanswered : faultless;
    const job = jobs.get(passed);
    if (job !== undefined) await lab.submit(...job);
    await lab.minutes(1);
  }
  const ledgers = backups[backup];
  if (ledgers === undefined) return 'no such backup';
  lab.faults.dealer = faultless;
  deployments.running.delete('lost');
  await lab.minutes(5);
  await deployments.deploy('restored', ledgers);
  deployments.watch('restored', lab.now + 2 * minute);
  await lab.minutes(4);
  agree(await lab.look(), site.policy);
  await lab.submit(12, 3);
  await lab.minutes(60);
  nothingBorrowed(await lab.look(), site.policy);
  return 'lived';
}

const unanswered = {
  ...faultless,
  call: ({ method }: { method: string }) => (method === 'request' ? ('unanswered' as const) : ('answered' as const)),
};

describe.each([
  ['parts are taken back', {}],
  ['grants go back whole', { block: 4, partialReturns: false }],
  ['grants are held for ten minutes', { minimumHold: '10m' }],
  ['grants have an end', { lease: '20m' }],
])('a ledger restored from a backup, where %s', (_, offer) => {
  it.each([7, 13])('keeps every promise, whichever write the backup ends with (lost at minute %i)', async (lostAt) => {
    for (const unansweredUntil of [0, 5, 12]) {
      let backup = 0;
      while ((await liveOnFrom(backup, { offer, unansweredUntil, lostAt })) === 'lived') backup += 1;
      expect(backup).toBeGreaterThan(2);
    }
  });
});
