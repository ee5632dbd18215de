import { cpus, loadavg } from 'node:os';

/** When and on what the figures were measured, as one line. */
export function describeMachine(): string {
  const [first] = cpus();
  const load = loadavg()[0]?.toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}: ${cpus().length} cores (${first?.model.trim()}), Node ${process.version}, load average ${load} at the start`;
}
