/** Record the intent: what was decided is durable before anybody outside hears of it. */
import { emptyLedger, isConfirmed, record, type Stamp } from '../domain/ledger.ts';
import type { ResourceLedger } from '../domain/model.ts';
import type { Decided } from './decide-fully.ts';
import type { ReconcilePorts, Site } from './ports.ts';
import { forEach, nothingDone, type Step } from './step.ts';

/** `ledgers`: those that stand as decided; only they may be acted upon. */
export async function recordIntent(
  { ledger: store, newPassId }: ReconcilePorts,
  { policyDigest }: Site,
  { situation, decision }: Decided,
): Promise<Step & { readonly ledgers: readonly ResourceLedger[] }> {
  const changed = decision.resources.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) {
    return { ...nothingDone, pushDue: situation.ledgers.some(isPushDue), ledgers: situation.ledgers };
  }
  const { now: at, epoch, ledgers: read, ...world } = situation;
  const pass = newPassId();
  const basis = Object.fromEntries(read.map(({ resource, version }) => [resource, version]));
  await store.recordPass({ id: pass, at, epoch, ...world, basis, policyDigest });

  const ledgers = new Map(read.map((ledger) => [ledger.resource, ledger]));
  const step = await forEach(changed, async ({ resource, changes }) => {
    const previous = ledgers.get(resource);
    ledgers.delete(resource);
    const stamp: Stamp = { at, by: 'decide', pass, epoch };
    const next = record(previous ?? emptyLedger(resource, at), changes, stamp);
    if ((await store.write(previous, next)) === 'lost') return { ...nothingDone, again: true };
    ledgers.set(resource, next);
    return nothingDone;
  });
  const standing = [...ledgers.values()];
  return { ...step, pushDue: standing.some(isPushDue), ledgers: standing };
}

function isPushDue(ledger: ResourceLedger): boolean {
  return !isConfirmed(ledger);
}
