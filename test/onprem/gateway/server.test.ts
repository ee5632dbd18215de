import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../onprem/gateway/server.ts';
import { HttpController, HttpTotalReceiver } from '../../../shared/adapters/controller/http-controller.ts';
import { systemClock } from '../../../shared/adapters/system-clock.ts';
import { relayUrl } from '../../../shared/relay/relay-transport.ts';
import { engineKinds, TestTable } from '../../adapters/dynamodb/engines.ts';
import { keyListOf } from '../../adapters/signing/party.ts';
import { newFolder } from '../../local/made-site.ts';
import { startRelay } from '../../relay/relay.ts';
import { clientOf, newParties } from '../running-site.ts';
import { configOf, update } from '../support.ts';
import { HastyScheduler } from './hasty-scheduler.ts';

const table = new TestTable(engineKinds[0] ?? 'dynalite');
const log = { info: () => {}, warn: () => {}, alarm: () => {} };

it('a gateway that fetches its calls answers them from its scheduler, and journals what it accepts', async () => {
  const parties = await newParties();
  const { controller, site, provisioner } = parties;
  const relay = await startRelay(table, { controller, log });
  const keys = await keyListOf(...Object.values(parties));
  const scheduler = new HastyScheduler({ hfsshpc: 10 }, systemClock);
  const directory = await newFolder();
  const start = async () => {
    const gateway = await startGateway({
      config: configOf('hfsshpc'),
      scheduler,
      keys: () => keys,
      directory,
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      log,
      lookEverySeconds: 1,
      pull: { url: relay.url, key: controller.key, waitSeconds: 1, everySeconds: 0 },
    });
    onTestFinished(() => gateway.close());
    return gateway;
  };
  const url = relayUrl('munich');
  const lease = { holder: 'blue', ttlSeconds: 60 };
  const observer = new HttpController({
    client: clientOf(site, relay.transport),
    url,
    site: 'munich',
    clock: systemClock,
    ...lease,
  });
  const client = clientOf(provisioner, relay.transport);
  const receiver = new HttpTotalReceiver({ client, key: provisioner.key, url, site: 'munich' });

  const first = await start();
  expect(await receiver.setTotal(update({ issuedAt: Date.now() }))).toMatchObject({ outcome: 'applied', total: 20 });
  expect(scheduler.totals.get('hfsshpc')).toBe(20);
  await first.close();
  await start();
  expect(await observer.observe(60)).toMatchObject({ resources: [{ name: 'hfsshpc', total: 20, sequence: 1 }] });
});
