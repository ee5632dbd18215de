/**
 * A process that appends the numbers from the first one that its journal does not have, compacts now and then, and
 * prints each number once it is kept. Argument: the directory.
 */
import { writeSync } from 'node:fs';
import { Journal } from '../../onprem/journal.ts';

const { journal, saved } = Journal.open<{ upTo: number }, number>(process.argv[2] ?? '');
for (let next = (saved.changes.at(-1) ?? saved.state?.upTo ?? 0) + 1; ; next += 1) {
  journal.append(next);
  if (next % 40 === 0) journal.compact({ upTo: next });
  writeSync(1, `${next}\n`);
}
