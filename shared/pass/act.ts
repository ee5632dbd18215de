/** Act: the provider calls that the ledgers call for; then record what they came to, one write a ledger. */
import { callsDue, type ProviderCall } from '../domain/calls.ts';
import { isConfirmed, record, type Stamp } from '../domain/ledger.ts';
import type { Change, ResourceLedger, SitePolicy } from '../domain/model.ts';
import { afterAbandon, afterGiveBack, afterRenew, afterRequest } from '../domain/outcomes.ts';
import type { Orphan, Situation } from '../domain/situation.ts';
import type { Clock, Provider } from '../ports.ts';
import type { ReconcilePorts } from './ports.ts';
import { forEach, nothingDone, type ResourceStep, type Step } from './step.ts';

interface Work {
  readonly ledger: ResourceLedger;
  readonly calls: readonly ProviderCall[];
}

/**
 * `ledgers`: those that stand as decided. Failures of single resources are in the answer; a provider's failures never are,
 * as what it was asked for stays due.
 */
export async function act(
  ports: ReconcilePorts,
  policy: SitePolicy,
  situation: Situation,
  ledgers: readonly ResourceLedger[],
): Promise<Step> {
  const byName = new Map(ledgers.map((ledger) => [ledger.resource, ledger]));
  const work: Work[] = [];
  for (const resource of policy.resources) {
    const ledger = byName.get(resource.resource);
    const calls = ledger === undefined ? [] : callsDue(ledger, resource, situation);
    if (ledger !== undefined && calls.length > 0) work.push({ ledger, calls });
  }
  const silent = new Set(situation.unreachable);
  return forEach(work, (one) => settle(ports, situation.epoch, one, silent));
}

/** A provider that does not answer is not asked again in this pass, so it can't use up the time of the others. */
async function settle(
  { providers, ledger: store, clock, log }: ReconcilePorts,
  epoch: number,
  { ledger, calls }: Work,
  silent: Set<string>,
): Promise<ResourceStep> {
  const { resource } = ledger;
  const changes: Change[] = [];
  for (const call of calls) {
    const provider = providers.get(call.grant.provider);
    if (provider === undefined) {
      log.alarm('orphan-grant', missingProvider(resource, call));
      continue;
    }
    if (silent.has(provider.name)) continue;
    const { change, unknown } = await perform(call, provider, resource, clock);
    if (unknown !== undefined) {
      silent.add(provider.name);
      log.warn('asking a provider failed', { provider: provider.name, grant: call.grant.id, error: unknown });
    }
    if (change === undefined) continue;
    changes.push(change);
    log.info(`${resource}: ${change.kind}`, { resource, reason: change.reason });
  }
  if (changes.length === 0) return nothingDone;
  const stamp: Stamp = { at: clock.now(), by: 'provider', pass: '', epoch };
  const next = record(ledger, changes, stamp);
  if ((await store.write(ledger, next)) === 'lost') return { ...nothingDone, again: true };
  return { ...nothingDone, pushDue: !isConfirmed(next), again: next.backoffs !== ledger.backoffs };
}

function missingProvider(resource: string, { grant: { id, provider } }: ProviderCall): string {
  return `${resource}: grant ${id} can't be ended or renewed, as ${provider} is not set up; put it back into the site file until its grants have ended`;
}

interface Answer {
  readonly change: Change | undefined;
  /** Why the provider's answer is not known. */
  readonly unknown?: string;
}

async function perform(
  { kind, grant, tokens }: ProviderCall,
  provider: Provider,
  resource: string,
  clock: Clock,
): Promise<Answer> {
  const sentAt = clock.now();
  const request = async (): Promise<Answer> => {
    const outcome = await provider.request(grant.id, resource, tokens);
    return { change: afterRequest(grant, outcome, { sentAt, receivedAt: clock.now() }), ...unknownIn(outcome) };
  };
  switch (kind) {
    case 'request':
      return request();
    case 'abandon': {
      if (grant.return === undefined) return { change: undefined };
      const outcome = await provider.giveBack(grant.id, grant.return.id, tokens);
      // It was granted after all, and its minimum hold runs: it is held until that is over, and given back.
      if (outcome.outcome === 'refused') return request();
      return { change: afterAbandon(grant, outcome), ...unknownIn(outcome) };
    }
    case 'giveBack': {
      if (grant.return === undefined) return { change: undefined };
      const outcome = await provider.giveBack(grant.id, grant.return.id, tokens);
      return { change: afterGiveBack(grant, outcome), ...unknownIn(outcome) };
    }
    case 'renew': {
      const outcome = await provider.renew(grant.id);
      return { change: afterRenew(grant, outcome, { sentAt, receivedAt: clock.now() }), ...unknownIn(outcome) };
    }
  }
}

function unknownIn(outcome: { readonly outcome: string; readonly detail?: string }): { unknown?: string } {
  return outcome.outcome === 'unknown' ? { unknown: outcome.detail ?? '' } : {};
}

/** No ledger holds them, so they are in no total and can go at once. */
export async function giveBackOrphans({ providers, log }: ReconcilePorts, orphans: readonly Orphan[]): Promise<void> {
  for (const { provider, grant, tokens } of orphans) {
    const outcome = await providers.get(provider)?.giveBack(grant, `${grant}.o`, tokens);
    log.warn('gave back a grant of a resource that is not elastic here', {
      provider,
      grant,
      outcome: outcome?.outcome,
    });
  }
}
