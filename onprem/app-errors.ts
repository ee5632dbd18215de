import type { ErrorHandler } from 'hono';
import { handleErrors, RequestProblem, type CallerEnv } from '../shared/adapters/http/server.ts';
import type { Log } from '../shared/ports.ts';
import { NotElasticError, UnknownResourceError } from './errors.ts';
import { JournalWriteError } from './journal-errors.ts';

/** For `app.onError`: what a controller throws, as the problem that its caller is told. */
export function handleControllerErrors(log: Log): ErrorHandler<CallerEnv> {
  return (error, c) => {
    if (error instanceof JournalWriteError) log.alarm('journal-not-written', error.message);
    return handleErrors(asProblem(error), c);
  };
}

function asProblem(error: Error): Error {
  if (error instanceof UnknownResourceError) {
    return new RequestProblem(404, 'unknown-resource', 'Unknown resource', error.message);
  }
  if (error instanceof NotElasticError) return new RequestProblem(409, 'not-elastic', 'Not elastic', error.message);
  if (error instanceof JournalWriteError) {
    const detail = 'The change could not be made durable, so it was not made; the log of the controller says why.';
    return new RequestProblem(error.isFull ? 507 : 503, 'not-durable', 'Not durable', detail);
  }
  return error;
}
