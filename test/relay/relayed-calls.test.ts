import { beforeAll, describe, expect, it } from 'vitest';
import { ControllerError } from '../../shared/adapters/controller/controller-error.ts';
import { HttpController, HttpTotalReceiver } from '../../shared/adapters/controller/http-controller.ts';
import { HttpClient } from '../../shared/adapters/http/client.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { relayTransport, relayUrl } from '../../shared/relay/relay-transport.ts';
import { engineKinds, TestTable } from '../adapters/dynamodb/engines.ts';
import { ManualClock } from '../onprem/manual-clock.ts';
import { newParties, RunningSite, type Parties } from '../onprem/running-site.ts';
import { update } from '../onprem/support.ts';
import { startFetching, startRelay, type RelayParts } from './relay.ts';

const table = new TestTable(engineKinds[0] ?? 'dynalite');
const url = relayUrl('munich');
const log = { info: () => {}, warn: () => {}, alarm: () => {} };

let parties: Parties;

beforeAll(async () => {
  parties = await newParties();
});

interface Relay extends RelayParts {
  /** Its calls wait for 8 s, or for `milliseconds`. */
  client(role: 'site' | 'provisioner', milliseconds?: number): HttpClient;
}

async function newRelay(): Promise<Relay> {
  const relay = await startRelay(table, { controller: parties.controller, log });
  return {
    ...relay,
    client(role, timeoutMilliseconds = 8_000) {
      const { key, subject } = parties[role];
      const transport = relayTransport({ store: relay.store, clock: systemClock, timeoutMilliseconds });
      return new HttpClient({ key, subject, audience: 'munich', timeoutMilliseconds, transport });
    },
  };
}

function controllerOver(client: HttpClient): HttpController {
  return new HttpController({ client, url, site: 'munich', clock: new ManualClock(), holder: 'blue', ttlSeconds: 60 });
}

function receiverOver(client: HttpClient): HttpTotalReceiver {
  return new HttpTotalReceiver({ client, key: parties.provisioner.key, url, site: 'munich' });
}

describe('calls to a controller that fetches them', () => {
  it('bring an observation of 10,000 waiting classes', async () => {
    const classes = Array.from({ length: 10_000 }, (_, index) => ({
      jobs: 1 + (index % 7),
      needs: Object.fromEntries([0, 1, 2, 3].map((need) => [`vcs_runtime_${index}_${need}@flex1`, 1 + (index % 30)])),
      waitingSeconds: index,
    }));
    const seen = { site: 'munich', controllerEpoch: 1, at: '2026-03-02T09:00:00Z', resources: [], waiting: classes };
    expect(JSON.stringify(seen).length).toBeGreaterThan(1_500_000);
    const relay = await newRelay();
    startFetching(relay, { controller: parties.controller, log, answer: async () => Response.json(seen) });
    const { waiting } = await controllerOver(relay.client('site')).observe(60);
    expect(waiting).toEqual(classes);
  });

  it('that come at the same time are each given their own answer', async () => {
    const relay = await newRelay();
    startFetching(relay, {
      controller: parties.controller,
      log,
      answer: async (request) => Response.json({ url: request.url }),
    });
    const targets = Array.from({ length: 25 }, (_, index) => `/v1/${index}`);
    const client = relay.client('site');
    const answers = await Promise.all(
      targets.map((target) => client.request({ method: 'GET', url: `${url}${target}` })),
    );
    expect(answers.map(({ body }) => body)).toEqual(targets.map((target) => ({ url: `http://relayed${target}` })));
  });

  it('have an unknown outcome when nobody fetches them, and are not carried out later', async () => {
    const site = await RunningSite.start(parties);
    const relay = await newRelay();
    expect(await receiverOver(relay.client('provisioner', 300)).setTotal(update())).toMatchObject({
      outcome: 'unknown',
    });
    await expect(controllerOver(relay.client('site', 300)).observe(60)).rejects.toThrow(ControllerError);
    startFetching(relay, { controller: parties.controller, log, answer: (request) => site.answer(request) });
    await expect(controllerOver(relay.client('site')).acquireLease()).resolves.toMatchObject({ held: true });
    expect(await site.observe()).toMatchObject({ body: { resources: [{ total: 10, sequence: 0 }] } });
  });

  it('have an unknown outcome when the controller dies with them, and are made good by the next', async () => {
    const site = await RunningSite.start(parties);
    const relay = await newRelay();
    const calling = receiverOver(relay.client('provisioner', 1_500)).setTotal(update());
    // Fetched, and carried out or not: nobody says.
    const fetcher = await relay.store.begin(Date.now());
    while ((await relay.store.take(fetcher, Date.now())).length === 0);
    expect(await calling).toMatchObject({ outcome: 'unknown' });
    startFetching(relay, { controller: parties.controller, log, answer: (request) => site.answer(request) });
    expect(await receiverOver(relay.client('provisioner')).setTotal(update())).toMatchObject({ outcome: 'applied' });
  });

  it('change nothing when they are carried out a second time', async () => {
    const site = await RunningSite.start(parties);
    const relay = await newRelay();
    const requests: Request[] = [];
    const answer = (request: Request): Promise<Response> => {
      requests.push(request.clone());
      return site.answer(request);
    };
    startFetching(relay, { controller: parties.controller, log, answer });
    await receiverOver(relay.client('provisioner')).setTotal(update());
    const [again] = requests;
    expect(again && (await site.answer(again))).toMatchObject({ status: 401 });
    expect(await site.observe()).toMatchObject({ body: { resources: [{ total: 20, sequence: 1 }] } });
  });

  it('are refused when they were changed on the way, as over HTTP', async () => {
    const site = await RunningSite.start(parties);
    const relay = await newRelay();
    const elsewhere = ({ url, headers }: Request) => new Request(`${url}9`, { headers });
    startFetching(relay, { controller: parties.controller, log, answer: (request) => site.answer(elsewhere(request)) });
    const observing = controllerOver(relay.client('site')).observe(60);
    await expect(observing).rejects.toThrow('the token was made for another method or URL');
  });
});
