import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { DynamoRelayStore } from '../../shared/adapters/dynamodb/relay.ts';
import { CallVerifier, signCall } from '../../shared/adapters/signing/call-token.ts';
import { roles } from '../../shared/adapters/signing/keys.ts';
import { maxRelayedAnswerBytes, relayedCalls } from '../../shared/contracts/relay.ts';
import { relayApp } from '../../shared/relay/app.ts';
import { engineKinds, TestTable } from '../adapters/dynamodb/engines.ts';
import { keyListOf, newParty, type Party } from '../adapters/signing/party.ts';
import { ManualClock } from '../onprem/manual-clock.ts';
import { newParties, type Parties } from '../onprem/running-site.ts';

const table = new TestTable(engineKinds[0] ?? 'dynalite');
const observation = { method: 'GET', target: '/v1/shared-resources', headers: { authorization: 'Bearer x' } };
const answered = { status: 200, contentType: 'application/json', body: gzipSync('{}').toString('base64') };

let parties: Parties;
let other: Party;

beforeAll(async () => {
  parties = await newParties();
  other = await newParty('controller', 'dresden');
});

/** The relay contract, called by the controller unless a test says otherwise. */
class Relay {
  readonly clock = new ManualClock();
  readonly refusals: unknown[] = [];
  readonly store = new DynamoRelayStore(table.newSite());
  readonly #app;

  private constructor(verifier: CallVerifier) {
    const log = { info: () => {}, warn: (_: string, fields?: object) => this.refusals.push(fields), alarm: () => {} };
    this.#app = relayApp({ site: 'munich', verifier, store: this.store, clock: this.clock, log });
  }

  static async start(): Promise<Relay> {
    const keys = await keyListOf(...Object.values(parties), other);
    return new Relay(new CallVerifier({ keys, audience: 'munich' }));
  }

  async call(method: string, path: string, body?: string, caller = parties.controller) {
    const url = `https://site.example.com${path}`;
    const content = body === undefined ? {} : { body };
    const token = await signCall({ ...caller, audience: 'munich', method, url, ...content });
    return this.#app.request(url, { method, headers: { authorization: `Bearer ${token}` }, ...content });
  }

  async fetch(query = ''): Promise<{ id: string }[]> {
    const answer = await this.call('GET', `/v1/relay${query}`);
    return relayedCalls.parse(await answer.json()).calls;
  }

  leave(call: object = observation): Promise<string> {
    return this.store.leave({ ...observation, ...call }, this.clock.now() + 8_000);
  }
}

async function refusalOf(answer: Response): Promise<unknown> {
  const { status, type } = Object(await answer.json());
  return { status, type };
}

describe('fetching the calls of a site', () => {
  it('gives those that wait, whole', async () => {
    const relay = await Relay.start();
    const call = { method: 'PUT', target: '/v1/a?b=c', headers: { 'content-type': 'application/jose' }, body: 'é.x.y' };
    const id = await relay.leave(call);
    expect(await relay.fetch()).toEqual([{ id, ...call }]);
  });

  it('gives none where there is none and nobody wants to wait', async () => {
    expect(await (await Relay.start()).fetch()).toEqual([]);
  });

  it('waits for a call, and gives it as soon as it comes', async () => {
    const relay = await Relay.start();
    const fetching = relay.fetch('?wait=20');
    await until(() => relay.clock.sleeping > 0);
    const id = await relay.leave();
    relay.clock.set(relay.clock.now() + 1_000);
    expect(await fetching).toMatchObject([{ id }]);
  });

  it('gives none when no call has come within the wait', async () => {
    const relay = await Relay.start();
    const fetching = relay.fetch('?wait=2');
    await until(() => relay.clock.sleeping > 0);
    relay.clock.set(relay.clock.now() + 2_000);
    expect(await fetching).toEqual([]);
  });

  it('ends when the controller fetches anew meanwhile, and takes no call with it', async () => {
    const relay = await Relay.start();
    const former = relay.call('GET', '/v1/relay?wait=20');
    await until(() => relay.clock.sleeping > 0);
    const latest = relay.fetch('?wait=20');
    await until(() => relay.clock.sleeping > 1);
    const id = await relay.leave();
    relay.clock.set(relay.clock.now() + 1_000);
    expect(await refusalOf(await former)).toEqual({ status: 409, type: 'displaced' });
    expect(await latest).toMatchObject([{ id }]);
  });

  it.each(['?wait=21', '?wait=-1', '?wait=long'])('refuses a wait that it can not keep: %s', async (query) => {
    const relay = await Relay.start();
    expect(await refusalOf(await relay.call('GET', `/v1/relay${query}`))).toEqual({ status: 400, type: 'invalid' });
  });
});

describe('answering a call', () => {
  it('gives its caller the answer', async () => {
    const relay = await Relay.start();
    const id = await relay.leave();
    await relay.fetch();
    expect(await relay.call('POST', `/v1/relay/${id}`, JSON.stringify(answered))).toMatchObject({ status: 204 });
    expect(await relay.store.answerTo(id)).toEqual({ ...answered, body: gzipSync('{}') });
  });

  it('is refused where nobody was handed the call, waits for it, or needs it any more', async () => {
    const relay = await Relay.start();
    const id = await relay.leave();
    const answer = async () =>
      refusalOf(await relay.call('POST', `/v1/relay/${id}`, JSON.stringify({ ...answered, status: 404 })));
    expect(await answer()).toEqual({ status: 404, type: 'not-found' });
    await relay.fetch();
    await relay.call('POST', `/v1/relay/${id}`, JSON.stringify(answered));
    expect(await answer()).toEqual({ status: 409, type: 'answered' });
    relay.clock.set(relay.clock.now() + 8_000);
    expect(await answer()).toEqual({ status: 409, type: 'late' });
    expect(await relay.store.answerTo(id)).toMatchObject({ status: 200 });
  });

  it.each([
    ['no JSON', 'x', { status: 400, type: 'malformed' }],
    ['without a status', JSON.stringify({ body: '' }), { status: 400, type: 'invalid' }],
    ['with a body that is not base64', JSON.stringify({ ...answered, body: '{}' }), { status: 400, type: 'invalid' }],
    ['too large', 'x'.repeat(maxRelayedAnswerBytes + 1), { status: 413, type: 'too-large' }],
  ])('is refused: %s', async (_what, body, refusal) => {
    const relay = await Relay.start();
    const id = await relay.leave();
    await relay.fetch();
    expect(await refusalOf(await relay.call('POST', `/v1/relay/${id}`, body))).toEqual(refusal);
    expect(await relay.store.answerTo(id)).toBeUndefined();
  });

  it('takes an answer of up to 4 MiB', async () => {
    const relay = await Relay.start();
    const id = await relay.leave();
    await relay.fetch();
    const body = 'A'.repeat(maxRelayedAnswerBytes - 100);
    expect(await relay.call('POST', `/v1/relay/${id}`, JSON.stringify({ status: 200, body }))).toMatchObject({
      status: 204,
    });
    expect((await relay.store.answerTo(id))?.body).toHaveLength((body.length * 3) / 4);
  });
});

describe.each([
  ['fetching', 'GET', () => '/v1/relay', undefined],
  ['answering', 'POST', (id: string) => `/v1/relay/${id}`, JSON.stringify(answered)],
] as const)('%s', (_what, method, pathOf, body) => {
  it.each(roles.filter((role) => role !== 'controller'))(
    'is refused to the role %s, and nothing changes',
    async (role) => {
      const relay = await Relay.start();
      const id = await relay.leave();
      const answer = await relay.call(method, pathOf(id), body, parties[role]);
      expect(await refusalOf(answer)).toEqual({ status: 403, type: 'wrong-role' });
      expect(relay.refusals).toHaveLength(1);
      expect(await relay.fetch()).toHaveLength(1);
    },
  );

  it("is refused to another site's controller", async () => {
    const relay = await Relay.start();
    const answer = await relay.call(method, pathOf(await relay.leave()), body, other);
    expect(await refusalOf(answer)).toEqual({ status: 403, type: 'wrong-site' });
    expect(await relay.fetch()).toHaveLength(1);
  });

  it('is refused to a key that is not listed', async () => {
    const relay = await Relay.start();
    const stranger = await newParty('controller', 'munich');
    const answer = await relay.call(method, pathOf(await relay.leave()), body, stranger);
    expect(await refusalOf(answer)).toEqual({ status: 401, type: 'unknown-key' });
    expect(await relay.fetch()).toHaveLength(1);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
