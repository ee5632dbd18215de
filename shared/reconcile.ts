/**
 * The one pass over a site: observe, decide, record the intent, act, record the outcome.
 *
 * It is level-triggered: what it does follows from the state of the world, never from what woke it. It may die at any
 * await; the next pass finds the same state and finishes the work. Each step is a file of `pass/`, and what is decided
 * is pure (`domain/decide.ts`). Totals are pushed by `push-totals.ts`, which alone holds the provisioner's key.
 */
import type { Decision } from './domain/situation.ts';
import { act, giveBackOrphans } from './pass/act.ts';
import { decideFully } from './pass/decide-fully.ts';
import { WorkIncomplete } from './pass/each-resource.ts';
import { observe, situationOf } from './pass/observe.ts';
import type { ReconcilePorts, Site } from './pass/ports.ts';
import { recordIntent } from './pass/record-intent.ts';
import { nothingDone } from './pass/step.ts';
import type { Log } from './ports.ts';

export type { ReconcilePorts, Site } from './pass/ports.ts';

/** `idle`: another provisioner holds the lease. `unheard`: the controller did not answer. */
export type PassResult = 'done' | 'idle' | 'unheard';

/** Rounds of one pass: a rival's write, or a refusal that the next provider may make good, begins another. */
const maxRounds = 8;

/** Throws `WorkIncomplete`, and whatever the ledger's store throws. */
export async function reconcile(ports: ReconcilePorts, site: Site): Promise<PassResult> {
  let result: PassResult = 'done';
  let pushDue = false;
  const failures: unknown[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const seen = await observe(ports, site);
    if (seen.lease?.held === false) {
      // The owner borrows on: what a list says now is old when the lease is ours.
      ports.listedAt.clear();
      return 'idle';
    }
    result = seen.observation === undefined ? 'unheard' : 'done';

    const decided = await decideFully(ports, site.policy, await situationOf(ports, seen));
    report(ports.log, decided.decision);

    const intent = await recordIntent(ports, site, decided);
    const mayAct = seen.lease !== undefined;
    const outcome = mayAct ? await act(ports, site.policy, decided.situation, intent.ledgers) : nothingDone;
    if (mayAct) await giveBackOrphans(ports, decided.decision.orphans);

    pushDue ||= intent.pushDue || outcome.pushDue;
    failures.push(...intent.failures, ...outcome.failures);
    if ((!intent.again && !outcome.again) || failures.length > 0) break;
  }
  if (pushDue) await announce(ports);
  if (failures.length > 0) throw new WorkIncomplete('reconciling', failures);
  return result;
}

function report(log: Log, { resources, alarms }: Decision): void {
  for (const { name, message } of alarms) log.alarm(name, message);
  for (const { resource, changes, note } of resources) {
    for (const { kind, reason } of changes) log.info(`${resource}: ${kind}`, { resource, reason });
    if (note !== undefined) log.info(`${resource}: not borrowed`, { resource, reason: note });
  }
}

/** An event that is lost delays the push to the next pass. */
async function announce({ events, log }: ReconcilePorts): Promise<void> {
  try {
    await events.totalChanged();
  } catch (error) {
    log.warn('announcing a total to push failed; the next pass does it again', { error: String(error) });
  }
}
