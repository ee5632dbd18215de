import type { ChangeAnswer, HistoryEntryAnswer } from '../contracts/status-history.ts';
import { totalOf } from '../domain/ledger.ts';
import type { Change, HistoryEntry } from '../domain/model.ts';
import { recallAnswer } from './grants.ts';
import { rfc3339 } from './rfc3339.ts';

export function historyEntryAnswer(entry: HistoryEntry): HistoryEntryAnswer {
  const { version, at, by, pass, epoch, changes, target, confirmed } = entry;
  return {
    version,
    at: rfc3339(at),
    by,
    ...(pass !== '' && { pass }),
    epoch,
    changes: changes.map(changeAnswer),
    target: { ...target, total: totalOf(target) },
    confirmed,
  };
}

/** Instants become times; all else stays as it is. */
function changeAnswer(change: Change): ChangeAnswer {
  switch (change.kind) {
    case 'granted':
      return { ...change, sentAt: rfc3339(change.sentAt), receivedAt: rfc3339(change.receivedAt) };
    case 'adopted': {
      const { expiresAt, ...rest } = change;
      return { ...rest, ...(expiresAt !== undefined && { expiresAt: rfc3339(expiresAt) }) };
    }
    case 'renewed':
      return { ...change, sentAt: rfc3339(change.sentAt) };
    case 'recalled':
      return { ...change, recall: recallAnswer(change.recall) };
    default:
      return change;
  }
}
