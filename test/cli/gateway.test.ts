import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newParty, type Party } from '../adapters/signing/party.ts';
import { newFolder } from '../local/made-site.ts';
import { clientOf } from '../onprem/running-site.ts';
import { Esr } from './esr.ts';

const seen = JSON.stringify({ resources: { hfsshpc: { total: 8, inUse: 0 } }, waiting: [] });

async function startGateway(...callers: Party[]) {
  const folder = await newFolder();
  const list = async (...parties: Party[]): Promise<void> =>
    writeFile(join(folder, 'callers.json'), JSON.stringify({ keys: parties.map(({ entry }) => entry) }));
  await list(...callers);
  const nothing = [process.execPath, '-e', ''];
  const look = [process.execPath, '-p', JSON.stringify(seen)];
  const file = {
    site: 'munich',
    resources: { hfsshpc: { shared: true, total: 8, elastic: { providers: ['burst'], maxBorrowed: 8 } } },
    scheduler: { kind: 'command', look, setTotal: nothing, settle: '0s' },
    listen: { port: 0 },
    callers: 'callers.json',
    data: 'data',
  };
  await writeFile(join(folder, 'gateway.yaml'), JSON.stringify(file));
  const gateway = new Esr('gateway', '--config', join(folder, 'gateway.yaml'));
  const url = await gateway.printed(/listens on (http:[^"]+)"/);
  const statusFor = async (party: Party): Promise<number> =>
    (await clientOf(party).request({ method: 'PUT', url: `${url}/v1/provider-leases/x`, json: {} })).status;
  return { gateway, folder, list, statusFor };
}

it('takes a revoked key no more once it is told by SIGHUP to read its key list again', async () => {
  const [revoked, next] = [await newParty('site', 'munich'), await newParty('site', 'munich')];
  const { gateway, list, statusFor } = await startGateway(revoked);
  expect([await statusFor(revoked), await statusFor(next)]).toEqual([400, 401]);

  await list(next);
  gateway.child.kill('SIGHUP');
  await gateway.printed(/(the key list was read again)/);
  expect([await statusFor(revoked), await statusFor(next)]).toEqual([401, 400]);
  expect((await gateway.end('SIGTERM')).exitCode).toBe(0);
});

it('keeps the former key list, with an alarm, where the new one can not be read', async () => {
  const party = await newParty('site', 'munich');
  const { gateway, folder, statusFor } = await startGateway(party);
  await writeFile(join(folder, 'callers.json'), JSON.stringify({ keys: [{ ...party.entry, jwk: party.privateJwk }] }));
  gateway.child.kill('SIGHUP');
  await gateway.printed(/("level":"ALARM".*keys-not-read)/);
  expect(await statusFor(party)).toBe(400);
  expect(gateway.stdout).not.toContain(party.privateJwk.d);
});
