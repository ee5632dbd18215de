// Reads what `esr local --json` printed and says whether tokens were borrowed, used and given back.
import { readFileSync } from 'node:fs';

const lines = readFileSync(process.argv[2] ?? '/dev/stdin', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const seen = lines.flatMap(({ resources = [] }) => resources.filter(({ name }) => name === 'hfsshpc'));
const borrowed = seen.findIndex(({ ledger, controller }) => ledger.borrowed > 0 && controller?.inUse > ledger.owned);
const returned = seen.findIndex(({ ledger }, at) => at > borrowed && ledger.borrowed === 0 && ledger.going === 0);
if (borrowed < 0 || returned < 0) {
  console.error(
    `the main job: ${borrowed < 0 ? 'nothing was borrowed and used' : 'nothing was given back'} in ${seen.length} looks`,
  );
  process.exitCode = 1;
} else
  console.log(
    `the main job: borrowed and used at look ${borrowed}, all given back at look ${returned} of ${seen.length}`,
  );
