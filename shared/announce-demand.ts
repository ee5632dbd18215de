import type { DemandWindow } from './adapters/demand-window.ts';
import type { Clock, Events } from './ports.ts';

/** What an announcement works with. */
export interface DemandPorts {
  readonly window: DemandWindow;
  readonly events: Events;
  readonly clock: Clock;
}

/**
 * The controller says that jobs wait. The first call starts a pass at once, further ones within a second become one
 * pass after it. `joined`: a pass that starts later than this call is already called for.
 */
export async function announceDemand({ window, events, clock }: DemandPorts): Promise<'announced' | 'joined'> {
  const answer = await window.enter(clock.now());
  if (answer === 'joined') return 'joined';
  if (answer !== 'first') await clock.sleep(Math.max(0, answer.joinAt - clock.now()));
  await events.demandWaits();
  return 'announced';
}
