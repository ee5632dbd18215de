// Takes a recorded log, or a stretch of it, through the simulator and through the live system in lockstep, and compares
// their totals byte for byte:
//
//     node scripts/lockstep.mjs [--log 1|2] [--from 2017-03-20] [--days 14]
//
// Exit code 1: they differ. Where the logs are missing (in flexnet-debug-logs of the folder $ESR_DATA) nothing is compared.
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const site = 'examples/hfss.yaml';
const logs = {
  1: { file: 'hfss-2017-01-08.log' },
  // The two weeks with the most borrowed token-hours, 4,739 of all resources together: of all that begin at midnight UTC,
  // by the steps that `esr simulate examples/hfss.yaml --json` gives for the whole log.
  2: { file: 'hfss-2017-02-18.log', from: '2017-03-20', days: 14 },
};
const dayMilliseconds = 86_400_000;

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const esr = (...args) => run(process.execPath, ['dist/esr.js', ...args], { cwd: root, maxBuffer: 2 ** 26 });

const { values } = parseArgs({
  options: { log: { type: 'string', default: '2' }, from: { type: 'string' }, days: { type: 'string' } },
});
const log = logs[values.log];
const from = values.from ?? log?.from;
const days = Number(values.days ?? log?.days);
const isBadDays = values.days !== undefined && !(days > 0);
if (log === undefined || (from !== undefined && Number.isNaN(Date.parse(from))) || isBadDays) {
  console.error('lockstep: give --log 1 or 2, --from a date or time, and --days a number above 0');
  process.exit(1);
}

const file = resolve(process.env.ESR_DATA ?? `${root}/../shared/data`, 'flexnet-debug-logs', log.file);
try {
  await access(file);
} catch {
  console.log(`lockstep: skipped, there is no ${file}; ESR_DATA names the folder of test data`);
  process.exit(0);
}

const directory = await mkdtemp(join(tmpdir(), 'esr-lockstep-'));
const at = (name) => join(directory, name);
try {
  const to = from && days && new Date(Date.parse(from) + days * dayMilliseconds).toISOString();
  const stretch = [...(from ? ['--from', from] : []), ...(to ? ['--to', to] : [])];
  await esr('trace', 'convert', file, ...stretch, '--out', at('trace.jsonl'));
  const trace = ['--trace', at('trace.jsonl')];
  await esr('simulate', site, ...trace, '--totals', at('simulated.csv'));
  const { stderr } = await esr('local', site, '--lockstep', ...trace, '--totals', at('live.csv'));
  const simulated = await readFile(at('simulated.csv'));
  const live = await readFile(at('live.csv'));
  const steps = live.toString().split('\n').length - 2;
  const stretchText = from ? `${from} to ${to ?? 'its end'}` : 'all of it';
  console.log(`lockstep: ${log.file}, ${stretchText}: ${steps} steps of totals, ${live.length} bytes`);
  console.log(stderr.trim());
  if (simulated.equals(live)) {
    console.log('The totals of the simulator and of the live system are the same, byte for byte.');
  } else {
    console.log(`They differ:\n${firstDifference(simulated.toString(), live.toString())}`);
    process.exitCode = 1;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

function firstDifference(simulated, live) {
  const [a, b] = [simulated.split('\n'), live.split('\n')];
  const line = a.findIndex((text, index) => text !== b[index]);
  const at = line === -1 ? a.length : line;
  return `line ${at + 1}\nsimulated: ${a[at] ?? 'nothing'}\nlive:      ${b[at] ?? 'nothing'}`;
}
