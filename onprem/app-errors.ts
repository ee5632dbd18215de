import type { ErrorHandler } from 'hono';
import { handleErrors, RequestProblem, sentenceOf, type CallerEnv } from '../shared/adapters/http/server.ts';
import type { Log } from '../shared/ports.ts';
import { NotElasticError, TooManyLeasesError, UnknownResourceError } from './errors.ts';
import { UnsettledError } from './gateway/errors.ts';
import { JournalWriteError } from './journal-errors.ts';
import { SchedulerError } from './scheduler.ts';

/** For `app.onError`: what a controller throws, as the problem that its caller is told. */
export function handleControllerErrors(log: Log): ErrorHandler<CallerEnv> {
  return (error, c) => {
    if (error instanceof JournalWriteError) log.alarm('journal-not-written', error.message);
    if (error instanceof SchedulerError) log.warn(error.message);
    return handleErrors(asProblem(error), c);
  };
}

function asProblem(error: Error): Error {
  if (error instanceof UnknownResourceError) {
    return new RequestProblem(404, 'unknown-resource', 'Unknown resource', sentenceOf(error));
  }
  if (error instanceof NotElasticError) return new RequestProblem(409, 'not-elastic', 'Not elastic', sentenceOf(error));
  if (error instanceof TooManyLeasesError) {
    return new RequestProblem(409, 'too-many-leases', 'Too many leases', sentenceOf(error));
  }
  if (error instanceof UnsettledError) {
    const { retryAfterSeconds } = error;
    return new RequestProblem(503, 'unsettled', 'Not settled', sentenceOf(error), { retryAfterSeconds });
  }
  if (error instanceof SchedulerError) {
    return new RequestProblem(503, 'scheduler', 'The scheduler did not do it', sentenceOf(error));
  }
  if (error instanceof JournalWriteError) {
    const detail = 'The change could not be made durable, so it was not made; the log of the controller says why.';
    return new RequestProblem(error.isFull ? 507 : 503, 'not-durable', 'Not durable', detail);
  }
  return error;
}
