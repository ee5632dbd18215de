/**
 * A process whose files may have 1 KiB, which stands in for a full disk: a write is cut short and then fails. It
 * appends what fits, what does not, and again what fits, tries to compact to a state that does not fit, and prints what
 * came of each. Argument: the directory.
 */
import { JournalWriteError } from '../../onprem/journal-errors.ts';
import { Journal } from '../../onprem/journal.ts';

process.on('SIGXFSZ', () => {});
const { journal } = Journal.open<string, string>(process.argv[2] ?? '');
const large = 'x'.repeat(2_000);
const steps = [
  () => journal.append('first'),
  () => journal.append(large),
  () => journal.append('second'),
  () => journal.compact(large),
  () => journal.append('third'),
];
for (const step of steps) {
  try {
    step();
    console.log('kept');
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
    console.log(error.isFull ? 'full' : 'failed');
  }
}
