const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the clean-up, which is synchronous, before this process exits or is ended by a signal. The result calls that off. */
export function onProcessEnd(cleanUp: () => void): () => void {
  const bySignal = (signal: NodeJS.Signals): void => {
    cleanUp();
    // Nobody listens any more, so now it ends the process.
    process.kill(process.pid, signal);
  };
  process.once('exit', cleanUp);
  for (const signal of endingSignals) process.once(signal, bySignal);
  return () => {
    process.off('exit', cleanUp);
    for (const signal of endingSignals) process.off(signal, bySignal);
  };
}
