import type { Log } from '../shared/ports.ts';
import { JournalWriteError } from './journal-errors.ts';
import { Journal } from './journal.ts';
import type { Saved } from './state.ts';

/** Opens the journal in the directory and says where it had to be cut. Throws `JournalDamagedError`. */
export function openJournal<S, C>(directory: string, log: Log): { journal: Journal<S, C>; saved: Saved<S, C> } {
  const { journal, saved, cutBytes } = Journal.open<S, C>(directory);
  if (cutBytes > 0) log.warn('the journal ended in an unfinished line, which was cut off', { directory, cutBytes });
  return { journal, saved };
}

/** Compacts the journal where that is due; where it fails all is still kept. */
export function compactIfDue<S, C>(journal: Journal<S, C>, state: () => S, log: Log): void {
  if (!journal.isCompactionDue) return;
  try {
    journal.compact(state());
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
    log.warn('compacting the journal has failed; it goes on growing', { error: error.message });
  }
}

/** What is made from a journal; where that throws, the journal is closed. */
export function orClose<T>(journal: { close(): void }, make: () => T): T {
  try {
    return make();
  } catch (error) {
    journal.close();
    throw error;
  }
}
