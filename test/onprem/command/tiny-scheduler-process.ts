/** A scheduler in one JSON file, as the programs that the gateway runs: `FILE look`, `FILE set-total NAME TOTAL`, `FILE settle`. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface TinyScheduler {
  resources: Record<string, { total: number; inUse: number }>;
  waiting: { id: string; jobs: number; needs: Record<string, number>; waitingSeconds: number }[];
  /** A new total is shown only by the look after so many; absent: by the next. */
  lateByLooks?: number;
  coming?: { name: string; total: number; afterLooks: number };
  settled?: boolean;
}

const [file = '', verb, name = '', total] = process.argv.slice(2);
const state: TinyScheduler = JSON.parse(readFileSync(file, 'utf8'));

function look(): void {
  const { coming } = state;
  if (coming !== undefined) {
    const resource = state.resources[coming.name];
    if (coming.afterLooks > 0) coming.afterLooks -= 1;
    else if (resource !== undefined) {
      resource.total = coming.total;
      delete state.coming;
    }
  }
  console.log(JSON.stringify({ resources: state.resources, waiting: state.waiting }));
}

function setTotal(): void {
  if (state.resources[name] === undefined) throw new Error(`no resource ${name}`);
  state.coming = { name, total: Number(total), afterLooks: state.lateByLooks ?? 0 };
}

if (verb === 'look') look();
else if (verb === 'set-total') setTotal();
else if (verb === 'settle') state.settled = true;
writeFileSync(file, JSON.stringify(state));
