/**
 * A process that appends the numbers from the first one that its journal does not have, compacts now and then, and
 * prints each number once it is kept, or the error's name and code. Arguments: the directory, and how many to append.
 */
import { writeSync } from 'node:fs';
import { JournalWriteError } from '../../onprem/journal-errors.ts';
import { Journal } from '../../onprem/journal.ts';

const [directory = '', count = 'Infinity'] = process.argv.slice(2);
// The limit of a file's size stands in for a full disk: a write is cut short and then fails.
process.on('SIGXFSZ', () => {});

const { journal, saved } = Journal.open<{ upTo: number }, number>(directory);
const first = saved.changes.at(-1) ?? saved.state?.upTo ?? 0;
for (let next = first + 1; next <= first + Number(count); next += 1) {
  try {
    journal.append(next);
    if (next % 100 === 0) journal.compact({ upTo: next });
    writeSync(1, `${next}\n`);
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
    writeSync(1, `${error.name} ${error.isFull ? 'full' : 'failed'}\n`);
  }
}
