import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A request to the database, or the call of one part of a site to another. */
export interface Request {
  readonly to: 'database' | 'http';
  /** `PutItem RESOURCE#…` or `PUT /v1/grants/…`. */
  readonly what: string;
  readonly startedAt: number;
  /** Of an HTTP call: when its answer began. */
  answeredAt?: number;
}

interface DatabaseCommand {
  readonly input: { readonly Key?: SortKey; readonly Item?: SortKey };
}
type SortKey = Readonly<Record<string, { readonly S?: string }>>;
type Send = (this: unknown, command: DatabaseCommand, ...rest: unknown[]) => Promise<unknown>;

/**
 * Watches the requests that all parts of a local site make, since they share this process: those to the database where
 * they enter the SDK, where keys can still be read, and HTTP calls where `fetch` reports them. `stop` ends it.
 */
export function watchRequests(): { readonly requests: Request[]; stop(): void } {
  const requests: Request[] = [];
  const inFlight = new WeakMap<object, Request>();
  const begun = (message: unknown): void => {
    if (!isAboutRequest(message)) return;
    const { method, path } = message.request;
    const seen = { to: 'http', what: `${method} ${path}`, startedAt: performance.now() } as const;
    inFlight.set(message.request, seen);
    requests.push(seen);
  };
  const answered = (message: unknown): void => {
    const seen = isAboutRequest(message) ? inFlight.get(message.request) : undefined;
    if (seen !== undefined) seen.answeredAt = performance.now();
  };
  subscribe('undici:request:create', begun);
  subscribe('undici:request:headers', answered);

  // `send` is inherited, so an own one goes before it until it is taken away.
  const prototype: object = DynamoDBClient.prototype;
  const send: Send = Reflect.get(prototype, 'send');
  const watched: Send = function (command, ...rest) {
    const { Key, Item } = command.input;
    const what = `${command.constructor.name.replace('Command', '')} ${(Key ?? Item)?.['sk']?.S ?? ''}`;
    requests.push({ to: 'database', what, startedAt: performance.now() });
    return send.call(this, command, ...rest);
  };
  Object.defineProperty(prototype, 'send', { value: watched, configurable: true });
  return {
    requests,
    stop() {
      Reflect.deleteProperty(prototype, 'send');
      unsubscribe('undici:request:create', begun);
      unsubscribe('undici:request:headers', answered);
    },
  };
}

/** As `fetch` reports what it does, in `diagnostics_channel`. */
function isAboutRequest(message: unknown): message is { request: { method: string; path: string } } {
  return typeof message === 'object' && message !== null && 'request' in message;
}

const isRead = /^(GetItem|Query) /;
/** The pool's own items. They are in the same engine, but not the site's. */
const ofPool = /^\w+ (SHELF|GRANT)#/;

export interface Counts {
  readonly reads: number;
  readonly ledgerWrites: number;
  readonly historyWrites: number;
  readonly passWrites: number;
  readonly demandWrites: number;
  readonly controllerCalls: number;
  readonly providerCalls: number;
}

/** What a site's functions asked for. */
export function countRequests(requests: readonly Request[]): Counts {
  const count = (to: Request['to'], matches: (what: string) => boolean): number =>
    requests.filter((request) => request.to === to && matches(request.what)).length;
  const writes = (key: string): number => count('database', (what) => !isRead.test(what) && what.includes(` ${key}`));
  return {
    reads: count('database', (what) => isRead.test(what) && !ofPool.test(what)),
    ledgerWrites: writes('RESOURCE#'),
    historyWrites: writes('HISTORY#'),
    passWrites: writes('PASS#'),
    demandWrites: writes('DEMAND'),
    controllerCalls: count('http', (what) => / \/v1\/(shared-resources|provider-leases)/.test(what)),
    providerCalls: count('http', (what) => / \/v1\/(grants|describe)/.test(what)),
  };
}
