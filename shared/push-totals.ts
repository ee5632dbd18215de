/**
 * The outbound half of the pass: pushes every total that the controller has not confirmed, and records its answer.
 * It reads the ledger alone, so it needs no lease: the controller refuses an update whose (epoch, sequence) is not newer.
 */
import { countedTokens } from './domain/grants.ts';
import { isConfirmed, record, totalOf, type Stamp } from './domain/ledger.ts';
import { expiryMarginSeconds } from './domain/limits.ts';
import type { Instant, ResourceLedger } from './domain/model.ts';
import { afterPush } from './domain/outcomes.ts';
import { eachResource, WorkIncomplete } from './pass/each-resource.ts';
import type { Clock, LedgerStore, Log, TotalReceiver, TotalUpdate } from './ports.ts';

/** What a push works with. */
export interface PushPorts {
  readonly ledger: LedgerStore;
  readonly receiver: TotalReceiver;
  readonly clock: Clock;
  readonly log: Log;
}

/** A refused lowering makes a new target, which is pushed at once; use may rise again in between, but not for ever. */
const maxTries = 3;

/** Answers how many totals are still unconfirmed. Throws `WorkIncomplete`, and what the ledger's store throws on reading. */
export async function pushTotals(ports: PushPorts): Promise<number> {
  const { ledgers } = await ports.ledger.read();
  const unconfirmed = ledgers.filter((ledger) => !isConfirmed(ledger));
  if (unconfirmed.length === 0) return 0;
  const { results, failures } = await eachResource(unconfirmed, (ledger) => pushTotal(ports, ledger));
  if (failures.length > 0) throw new WorkIncomplete('pushing totals', failures);
  return results.filter((isConfirmed) => !isConfirmed).length;
}

/** Answers whether the controller has confirmed the total. */
async function pushTotal({ ledger: store, receiver, clock, log }: PushPorts, first: ResourceLedger): Promise<boolean> {
  let ledger = first;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const outcome = await receiver.setTotal(totalUpdate(ledger, clock.now()));
    const { resource } = ledger;
    log.info(`${resource}: pushed ${totalOf(ledger.target)}: ${outcome.outcome}`, { resource, ...outcome });
    const changes = afterPush(ledger, outcome);
    if (changes.length === 0) return false;
    const stamp: Stamp = { at: clock.now(), by: 'controller', pass: '', epoch: ledger.target.epoch };
    const next = record(ledger, changes, stamp);
    // Whoever wrote first has changed the ledger, and pushes or is pushed what it now wants.
    if ((await store.write(ledger, next)) === 'lost') return false;
    if (isConfirmed(next)) return true;
    ledger = next;
  }
  return false;
}

/** What the controller is told of a ledger's target. */
export function totalUpdate({ resource, target, grants }: ResourceLedger, now: Instant): TotalUpdate {
  return {
    resource,
    ...target,
    total: totalOf(target),
    expiries: grants
      .filter((grant) => grant.expiresAt !== undefined && countedTokens(grant) > 0)
      .map((grant) => ({ at: (grant.expiresAt ?? 0) - expiryMarginSeconds * 1000, tokens: countedTokens(grant) }))
      .sort((a, b) => a.at - b.at),
    issuedAt: now,
  };
}
