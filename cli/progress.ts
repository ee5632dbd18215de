import { SingleBar } from 'cli-progress';

export interface Progress {
  /** `share` from 0 to 1. */
  readonly update: (share: number) => void;
  readonly stop: () => void;
}

/** On standard error, and only where that is a terminal. */
export function progressBar(what: string): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({ format: `${what} {bar} {percentage} %`, clearOnComplete: true });
  bar.start(100, 0);
  return { update: (share) => bar.update(Math.round(share * 100)), stop: () => bar.stop() };
}
