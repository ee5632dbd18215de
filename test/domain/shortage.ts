import { totalOf } from '../../shared/domain/ledger.ts';
import type { ElasticPolicy, ResourceLedger, Tokens } from '../../shared/domain/model.ts';
import type { Situation } from '../../shared/domain/situation.ts';
import { decisionFor, ofKind, situationWith, waitingOf } from './builders.ts';

/** Everything is in use and one job waits for `tokens` more. */
export function short(ledger: ResourceLedger, tokens: Tokens, changes: Partial<Situation> = {}): Situation {
  const seen = { inUse: totalOf(ledger.target) };
  return situationWith(ledger, { seen, waiting: [waitingOf(1, { [ledger.resource]: tokens })], ...changes });
}

/** What is asked of whom. */
export function asked(policy: ElasticPolicy, situation: Situation): (readonly [provider: string, tokens: Tokens])[] {
  return ofKind(decisionFor(policy, situation), 'borrow').map(({ provider, tokens }) => [provider, tokens]);
}
