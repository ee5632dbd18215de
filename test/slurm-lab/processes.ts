import { readdirSync, readFileSync } from 'node:fs';

const rounds = 200;
const roundMilliseconds = 10;

/**
 * Kills every process that was started with all these variables, and returns when none is left. Synchronous, as it must
 * also run when this process ends. A job and its slurmstepd outlive every daemon and descend from none that is left, so
 * nothing but their variables tells whose they are.
 */
export function killProcessesWith(variables: Readonly<Record<string, string>>): void {
  for (let round = 0; round < rounds; round += 1) {
    // What one of them has just started is found in the next round.
    const found = processesWith(variables);
    if (found.length === 0) return;
    for (const id of found) kill(id);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, roundMilliseconds);
  }
}

/** Their ids, without those that have ended and were not yet waited for. */
export function processesWith(variables: Readonly<Record<string, string>>): readonly number[] {
  const wanted = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      const variablesOfEntry = startVariables(entry);
      return wanted.every((variable) => variablesOfEntry.includes(variable));
    })
    .map(Number);
}

function startVariables(processId: string): readonly string[] {
  try {
    return readFileSync(`/proc/${processId}/environ`, 'utf8').split('\0');
  } catch {
    return []; // It has just ended.
  }
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
