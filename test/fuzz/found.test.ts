/** What seeds have found, each kept as it was found or as its shortest form. docs/reliability.md tells the stories. */
import { describe, expect, it } from 'vitest';
import { runSeed, stepsUpTo } from '../../fuzz/run.ts';
import type { Provider } from '../../shared/ports.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab } from '../reconcile/lab.ts';
import { smallSite } from '../reconcile/sites.ts';

describe('seeds that have broken a promise', () => {
  it.each([[40, 'what a request without an answer may have cost since it was made, within the spending cap']])(
    'seed %i: %s',
    async (seed) => {
      expect((await runSeed(seed, stepsUpTo(500))).broken).toBeUndefined();
    },
  );
});

describe('a provider that ends all of a grant while a part of it is given back', () => {
  /** Ends what is left of the grant right after the part has been taken back. */
  function endingAll(words: () => Set<string>, pool: () => Lab['world']['pools']): Interception {
    return {
      push: (ports, run) => run(ports),
      reconcile: (ports, run) => {
        const providers = [...ports.providers].map(([name, provider]) => {
          const giveBack: Provider['giveBack'] = async (grant, ...rest) => {
            const left = await provider.giveBack(grant, ...rest);
            if (left.outcome !== 'returned' || left.tokens === 0) return left;
            words().add(grant);
            await pool().get(name)?.giveBack('lab', grant, { returnId: 'revoked', tokens: left.tokens });
            return { ...left, tokens: 0 };
          };
          const port: Provider = {
            name,
            describe: () => provider.describe(),
            list: () => provider.list(),
            request: (...body) => provider.request(...body),
            giveBack,
            renew: (grant) => provider.renew(grant),
          };
          return [name, port] as const;
        });
        return run({ ...ports, providers: new Map(providers) });
      },
    };
  }

  it('is told of by an alarm, and the total follows as the jobs end', async () => {
    const lab: Lab = new Lab(smallSite({ returnAfter: '2m' }), {
      atWorld: [
        endingAll(
          () => lab.watch.words.revoked,
          () => lab.world.pools,
        ),
      ],
    });
    await lab.minutes(2);
    const jobs = [
      [8, 30],
      [4, 10],
      [4, 20],
      [4, 2],
    ] as const;
    await lab.world.submit(
      jobs.map(([tokens, minutes]) => ({ submit: lab.now, needs: { hfsshpc: tokens }, runSeconds: minutes * 60 })),
    );
    await lab.minutes(8);
    expect(lab.alarms).toContain('grant-lost');
    expect(lab.total()).toBe(16);
    await lab.minutes(6);
    expect(lab.total()).toBe(12);
    await lab.minutes(40);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });
});
