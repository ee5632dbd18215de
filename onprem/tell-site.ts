import { HttpClient } from '../shared/adapters/http/client.ts';
import type { SigningKey } from '../shared/adapters/signing/keys.ts';
import type { Log } from '../shared/ports.ts';
import { DemandNotifier } from './demand-notifier.ts';

/** Where to tell that jobs begin to wait. */
export interface DemandOptions {
  /** Asked at every call, as the site's API may start after the controller. */
  readonly url: () => string;
  /** Of the role controller. */
  readonly key: SigningKey;
  /** Is handed each run of calls, for whoever must know when it is over. */
  readonly start?: (task: () => Promise<void>) => void;
}

/** What to call when jobs begin to wait; without `options` nobody is told. */
export function demandTeller(site: string, options: DemandOptions | undefined, log: Log): () => void {
  if (options === undefined) return () => {};
  const { url, key, start } = options;
  const client = new HttpClient({ key, subject: site, audience: site });
  const send = async (): Promise<void> => {
    const { status } = await client.request({ method: 'POST', url: url(), json: { site } });
    if (status >= 300) throw new Error(`calling POST ${url()}: answered ${status}; see the log of the site's API`);
  };
  const notifier = new DemandNotifier({ send, log, ...(start && { start }) });
  return () => void notifier.notify();
}
