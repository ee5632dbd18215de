import { describe, expect, it, onTestFinished } from 'vitest';
import { controllerApp } from '../../onprem/app.ts';
import { ReferenceController } from '../../onprem/controller.ts';
import { JournalWriteError } from '../../onprem/journal-errors.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { keyListOf } from '../adapters/signing/party.ts';
import { ManualClock } from './manual-clock.ts';
import { clientOf, newParties } from './running-site.ts';
import { configOf, start } from './support.ts';

describe('a change that cannot be made durable', () => {
  it.each([
    { code: 'ENOSPC', status: 507 },
    { code: 'EDQUOT', status: 507 },
    { code: 'EIO', status: 503 },
  ])('is not made: $code is answered with $status, and an alarm says why', async ({ code, status }) => {
    const parties = await newParties();
    const keys = await keyListOf(...Object.values(parties));
    let isBroken = false;
    const keep = (): void => {
      if (isBroken) throw new JournalWriteError('journal.jsonl', Object.assign(new Error(code), { code }));
    };
    const controller = new ReferenceController({ config: configOf('hfsshpc'), now: start, keep });
    const alarms: string[] = [];
    const log = { info: () => {}, warn: () => {}, alarm: (name: string) => alarms.push(name) };
    const app = controllerApp({ controller, site: 'munich', keys: () => keys, clock: new ManualClock(), log });
    const server = await listen(app, 0, '127.0.0.1');
    onTestFinished(() => server.close());
    isBroken = true;

    const lease = {
      method: 'PUT',
      url: `${server.url}/v1/provider-leases/one`,
      json: { holder: 'blue', ttlSeconds: 60 },
    };
    expect(await clientOf(parties.site).request(lease)).toMatchObject({ status, body: { type: 'not-durable' } });
    expect(alarms).toEqual(['journal-not-written']);
    expect(controller.state().leases).toEqual({});
  });
});
