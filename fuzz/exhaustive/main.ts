/**
 * `npm run exhaustive -- [start state ...] [--preemptions 3] [--faults 2]`: searches from every start state, or from those
 * that are named, with every bound up to the given ones. Fails where anything is broken.
 */
import { parseArgs } from 'node:util';
import { explore } from './explore.ts';
import { startStates } from './start-states.ts';
import { inWords } from './words.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { preemptions: { type: 'string', default: '3' }, faults: { type: 'string', default: '2' } },
});
const unknown = positionals.filter((name) => startStates.every((start) => start.name !== name));
if (unknown.length > 0) {
  const known = startStates.map(({ name }) => name).join(', ');
  throw new Error(`choosing start states: there is no ${unknown.join(', ')}; name some of ${known}`);
}
const upTo = (most: string): number[] => Array.from({ length: Number(most) + 1 }, (_, number) => number);
const bounds = upTo(values.faults).flatMap((faults) =>
  upTo(values.preemptions).map((preemptions) => ({ preemptions, faults })),
);

const count = new Intl.NumberFormat('en');
let runsInAll = 0;
for (const start of startStates) {
  if (positionals.length > 0 && !positionals.includes(start.name)) continue;
  console.log(`${start.name}: ${start.story}`);
  let mostRuns = 0;
  let since = performance.now();
  for await (const { bounds: bound, runs, states, ends, broken } of explore(start, bounds)) {
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    console.log(
      `  at most ${bound.preemptions} preemptions and ${bound.faults} faults: ${count.format(runs)} runs ` +
        `through ${count.format(states)} states to ${count.format(ends)} ends, ${broken.length} broken (${seconds} s)`,
    );
    for (const one of broken) console.log(inWords(one));
    if (broken.length > 0) process.exitCode = 1;
    mostRuns = runs;
    since = performance.now();
  }
  runsInAll += mostRuns;
}
console.log(
  `${count.format(runsInAll)} runs with at most ${values.preemptions} preemptions and ${values.faults} faults; ` +
    'within these bounds none was left out',
);
