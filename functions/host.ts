/** What a function stands on: its environment, a clock and a log. A local run hands in its own. */
import type { Env, Hono } from 'hono';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import type { Environment } from '../shared/adapters/aws-client.ts';
import { JsonLog } from '../shared/adapters/json-log.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import type { Clock, Log } from '../shared/ports.ts';

export type { Environment } from '../shared/adapters/aws-client.ts';

export interface Host {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Log;
}

/** A function as it is deployed: called with an event, answers what its trigger expects. */
export type Handler = (event: unknown) => Promise<unknown>;

/** An HTTP application as a function behind the API. */
export function httpHandler<E extends Env>(app: Hono<E>): Handler {
  const answer = handle(app);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API calls it with such events and no others
  return (event) => answer(event as LambdaEvent);
}

/** Sets a function up once; the work of the handler it answers is for each event. */
export type MakeHandler = (host: Host) => Promise<Handler>;

export class MissingVariable extends Error {
  override readonly name = 'MissingVariable';
  readonly variable: string;

  constructor(variable: string) {
    super(
      `starting the function: the environment variable ${variable} is missing; set it in the function's configuration`,
    );
    this.variable = variable;
  }
}

/** It holds no cause: a parser's message quotes what it was given, and that may be a private key. */
export class VariableNotJson extends Error {
  override readonly name = 'VariableNotJson';
  readonly variable: string;

  constructor(variable: string) {
    super(`starting the function: the environment variable ${variable} is not JSON; set it to a JSON document`);
    this.variable = variable;
  }
}

/** Throws `MissingVariable`. */
export function required(environment: Environment, variable: string): string {
  const value = environment[variable];
  if (value === undefined || value === '') throw new MissingVariable(variable);
  return value;
}

/** The JSON document that the variable holds. Throws `MissingVariable`, `VariableNotJson`. */
export function requiredJson(environment: Environment, variable: string): unknown {
  const text = required(environment, variable);
  try {
    return JSON.parse(text);
  } catch {
    throw new VariableNotJson(variable);
  }
}

/** The handler for the cloud: set up with the first event, so that a fault is logged with it and tried again. */
export function deployed(make: MakeHandler): Handler {
  let handler: Promise<Handler> | undefined;
  return async (event) => {
    handler ??= make({
      environment: Object.freeze({ ...process.env }),
      clock: systemClock,
      log: new JsonLog((line) => process.stdout.write(`${line}\n`)),
    });
    const ready = await handler.catch((error: unknown) => {
      handler = undefined;
      throw error;
    });
    return ready(event);
  };
}
