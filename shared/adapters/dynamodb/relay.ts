import { randomUUID } from 'node:crypto';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../../domain/model.ts';
import type {
  AnswerOutcome,
  CallerSide,
  FetcherSide,
  HandedOut,
  RelayedAnswer,
  RelayedCall,
} from '../../relay/relay-store.ts';
import {
  answerKey,
  answerPartKey,
  callKey,
  callsFrom,
  fetcherKey,
  relayPartition,
  sortKeyOf,
  type Item,
} from './items.ts';
import { JsonBody } from './json-body.ts';
import { Partition } from './partition.ts';
import { inParts } from './parts.ts';

/** A call as it is left; once it is handed out, a later version without a body has taken its place. */
const left = 1;
const handedOut = 2;
const atMostAtOnce = 10;
/** What DynamoDB then deletes by itself, as no role of ours may delete anything. */
const keptSeconds = 3_600;

const callBody = new JsonBody<RelayedCall>('Send a shorter body.');

/**
 * The relay in one table, in a partition of its own, so that whoever may use it needs no right to the ledger. Throws
 * `OversizedItemError` for a call or an answer that is too large, and the SDK's errors.
 */
export class DynamoRelayStore implements CallerSide, FetcherSide {
  readonly #items: Partition;

  constructor({ client, table, site }: { client: DynamoDBClient; table: string; site: string }) {
    this.#items = new Partition(client, table, relayPartition(site));
  }

  async leave(call: RelayedCall, until: Instant): Promise<string> {
    const id = `${timeOf(until)}-${randomUUID()}`;
    const key = callKey(id);
    await this.#items.put(key, { ...waits(left, until), body: callBody.write(key, call) });
    return id;
  }

  async answerTo(id: string): Promise<RelayedAnswer | undefined> {
    const head = await this.#items.get(answerKey(id));
    if (head === undefined) return undefined;
    const attempt = head['attempt']?.S ?? '';
    const parts: Uint8Array[] = [];
    for (let part = 1; part <= Number(head['parts']?.N); part += 1) {
      const item = await this.#items.get(answerPartKey(id, attempt, part));
      parts.push(item?.['body']?.B ?? new Uint8Array());
    }
    const contentType = head['contentType']?.S;
    return {
      status: Number(head['status']?.N),
      ...(contentType === undefined ? {} : { contentType }),
      body: Buffer.concat(parts),
    };
  }

  async begin(now: Instant): Promise<string> {
    const fetcher = randomUUID();
    await this.#items.put(fetcherKey, { ...deletedAfter(now), fetcher: { S: fetcher } });
    return fetcher;
  }

  async take(fetcher: string, now: Instant): Promise<readonly HandedOut[] | 'displaced'> {
    const items: Item[] = [];
    for await (const item of this.#items.query(callsFrom(timeOf(now)))) items.push(item);
    if (items.pop()?.['fetcher']?.S !== fetcher) return 'displaced';
    const taken: HandedOut[] = [];
    for (const item of items.filter(({ version }) => Number(version?.N) === left)) {
      const key = sortKeyOf(item);
      const standing = await this.#items.putUnless(key, left, waits(handedOut, untilOf(item)));
      if (standing === undefined) taken.push({ id: key.slice(callKey('').length), call: callBody.read(item) });
      if (taken.length === atMostAtOnce) break;
    }
    return taken;
  }

  async answer(id: string, { status, contentType, body }: RelayedAnswer, now: Instant): Promise<AnswerOutcome> {
    const call = await this.#items.get(callKey(id));
    if (call === undefined || Number(call['version']?.N) !== handedOut) return 'unknown';
    const until = untilOf(call);
    if (until <= now) return 'late';
    // Of its own, so that a second answer leaves the parts of the first as they are.
    const attempt = randomUUID();
    const parts = inParts(body, answerKey(id), 'Ask the controller for less.');
    for (const [index, part] of parts.entries()) {
      await this.#items.put(answerPartKey(id, attempt, index + 1), { ...deletedAfter(until), body: { B: part } });
    }
    // Last, as it is what the caller looks for.
    const standing = await this.#items.putUnless(answerKey(id), undefined, {
      ...deletedAfter(until),
      status: number(status),
      ...(contentType === undefined ? {} : { contentType: { S: contentType } }),
      attempt: { S: attempt },
      parts: number(parts.length),
    });
    return standing === undefined ? 'kept' : 'answered';
  }
}

const number = (value: number): AttributeValue => ({ N: String(value) });

const waits = (version: number, until: Instant): Item => ({
  version: number(version),
  until: number(until),
  ...deletedAfter(until),
});

/** The table's attribute for its time to live, in epoch seconds. */
const deletedAfter = (until: Instant): Item => ({ expiresAt: number(Math.ceil(until / 1000) + keptSeconds) });

const untilOf = (item: Item): Instant => Number(item['until']?.N);

/** Padded so that the order of keys is the order of instants. */
const timeOf = (instant: Instant): string => String(Math.ceil(instant)).padStart(15, '0');
