import { agree, nothingBorrowed, ticksToAgree, ticksToReturnAll } from '../../test/promises/8-it-ends.ts';
import type { WatchedSite } from './watched-site.ts';

/** Faults stop, and new processes make a pass and a push each minute. Throws where they do not end in agreement. */
export async function comeToRest(site: WatchedSite): Promise<void> {
  const { policy, pools } = site.site;
  site.forgetProcesses();
  await site.minutes(ticksToAgree);
  agree(await site.watch.look(), policy);
  while (site.simulated.nextEventAt() !== undefined) await site.minutes(1);
  await site.minutes(ticksToReturnAll(policy, pools));
  nothingBorrowed(await site.watch.look(), policy);
  await site.watch.accepted.areReplayed(site.simulated.store, policy, site.site.policyDigest, site.now);
}
