import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { registerFreeze } from '../../cli/commands/freeze.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { KeyList } from '../../shared/adapters/signing/keys.ts';
import { freezeApp } from '../../shared/freeze-app.ts';
import { localKeys } from '../../shared/local/local-keys.ts';
import { keyListOf, newParty } from '../adapters/signing/party.ts';
import { newFolder } from '../local/made-site.ts';
import { ManualClock } from '../onprem/manual-clock.ts';

const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});

afterEach(() => void vi.restoreAllMocks());

async function esr(...args: string[]): Promise<void> {
  const program = new Command().exitOverride();
  registerFreeze(program);
  await program.parseAsync(args, { from: 'user' });
}

async function served(keys: KeyList): Promise<{ store: MemoryLedgerStore; url: string }> {
  const store = new MemoryLedgerStore();
  const log = { info: () => {}, warn: () => {}, alarm: () => {} };
  const verifier = new CallVerifier({ keys, audience: 'munich' });
  const server = await listen(
    freezeApp({ site: 'munich', verifier, store, clock: new ManualClock(), log }),
    0,
    '127.0.0.1',
  );
  onTestFinished(() => server.close());
  return { store, url: server.url };
}

describe('esr freeze and thaw', () => {
  it('tell a local run with its own key', async () => {
    const data = await newFolder();
    const { store, url } = await served(await KeyList.parse((await localKeys(data, 'munich')).keyList));

    await esr('freeze', 'munich', '--url', url, '--data', data);
    expect(await store.read()).toMatchObject({ frozen: { by: 'munich' } });
    await esr('thaw', 'munich', '--url', `${url}/`, '--data', data);
    expect(await store.read()).not.toHaveProperty('frozen');
    expect(printed).toEqual(['munich: frozen', 'munich: borrows again']);
  });

  it('tell a site with the key of the operator, by the name that its list has for it', async () => {
    const anna = await newParty('operator', 'anna');
    const { store, url } = await served(await keyListOf(anna));
    const key = join(await newFolder(), 'anna.json');
    await writeFile(key, JSON.stringify(anna.privateJwk));

    await esr('freeze', 'munich', '--url', url, '--key', key, '--subject', 'anna');
    expect(await store.read()).toMatchObject({ frozen: { by: 'anna' } });
  });

  it('say why the site refuses, and print nothing of a key', async () => {
    const worker = await newParty('worker', 'munich');
    const { store, url } = await served(await keyListOf(worker));
    const folder = await newFolder();
    const [key, broken] = [join(folder, 'key.json'), join(folder, 'broken.json')];
    await writeFile(key, JSON.stringify(worker.privateJwk));
    await writeFile(broken, JSON.stringify(worker.privateJwk).slice(0, -1));

    await expect(esr('freeze', 'munich', '--url', url, '--key', key)).rejects.toThrow(
      /^telling munich to freeze: answered 403, Key \S+ has the role worker/,
    );
    const failure = await esr('freeze', 'munich', '--url', url, '--key', broken).catch(String);
    expect(failure).toContain('it is not JSON');
    expect(failure).not.toContain(worker.privateJwk.d);
    expect(await store.read()).not.toHaveProperty('frozen');
  });
});
