import { expect, it, onTestFinished } from 'vitest';
import { loadSigningKey, roles } from '../../shared/adapters/signing/keys.ts';
import { signCall } from '../../shared/adapters/signing/call-token.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { takeDirectory } from '../../shared/adapters/take-directory.ts';
import { startLocalSite } from '../../shared/local/local-site.ts';
import { Activity } from '../../shared/simulation/activity.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { madeSite } from './made-site.ts';

/** What a compact JWS begins with: a call's token, or a signed document. */
const signed = /eyJ[\w-]{10,}\.[\w-]/;

it('no private key and no call token is in the log, in history, in a pass record or in the status, whatever fails', async () => {
  const { site, directory } = await madeSite();
  onTestFinished(await takeDirectory(directory));
  const told: string[] = [];
  const log = new JsonLog((line) => told.push(line));
  const local = await startLocalSite({ site, directory, clock: systemClock, log, activity: new Activity(), port: 0 });
  onTestFinished(() => local.close());
  const { functions } = local;

  // Borrows, and pushes a total.
  const now = systemClock.now();
  local.controller.controller.submit([{ id: 'a', submit: now, needs: { hfsshpc: 16 }, runSeconds: 600 }], now);
  await functions.invoke('reconcile', {});
  await functions.invoke('push-total', {});
  // Refused calls: a token that is used twice, and one of a role that may not.
  const target = `${local.controller.url}/v1/provider-leases/x`;
  const key = await loadSigningKey(local.keys.own.worker);
  const token = await signCall({ key, subject: 'munich', audience: 'munich', method: 'PUT', url: target });
  const call = { method: 'PUT', headers: { authorization: `Bearer ${token}` } };
  for (const status of [403, 401]) {
    const answer = await fetch(target, call);
    expect(answer.status).toBe(status);
    told.push(await answer.text());
  }
  // A controller that is gone.
  await local.controller.close();
  await functions.invoke('reconcile', {});
  await functions.invoke('push-total', {});

  for (const path of [
    'site',
    'resources',
    'resources/hfsshpc/grants',
    'resources/hfsshpc/history',
    'providers',
    'health',
  ]) {
    const answer = await fetch(`${functions.url}/v1/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    told.push(await answer.text());
  }
  const passes: string[] = [];
  for await (const entry of local.ledger.history('hfsshpc')) if (entry.pass !== '') passes.push(entry.pass);
  for (const pass of passes) told.push(JSON.stringify(await local.ledger.pass(pass)));

  const all = told.join('\n');
  expect(all).toContain('refused a call');
  expect(all).toContain('looking at the controller failed');
  expect(passes.length).toBeGreaterThan(0);
  expect(all).not.toMatch(signed);
  for (const role of roles) expect(all).not.toContain(local.keys.own[role].d);
});
