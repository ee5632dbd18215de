import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerKeys } from '../../cli/commands/keys.ts';
import { KeyList, loadSigningKey } from '../../shared/adapters/signing/keys.ts';

let folder: string;
let printed: string[];
let noted: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  printed = [];
  noted = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void noted.push(line));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function esr(...args: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => noted.push(text) });
  registerKeys(program);
  await program.parseAsync(['keys', ...args], { from: 'user' });
}

/** The private half in the text of a private key file. */
function secretOf(text: string): string {
  const secret = /"d": "([^"]{43})"/.exec(text)?.[1];
  if (secret === undefined) throw new Error('the file holds no private key');
  return secret;
}

async function newKey(role: string, subject: string, out = folder): Promise<void> {
  await esr('new', '--role', role, '--subject', subject, '--out', out);
}

describe('esr keys new', () => {
  it('writes a private key that only its owner may read, and prints the entry for the receiver', async () => {
    await newKey('provisioner', 'munich');
    const entry: unknown = JSON.parse(printed.join('\n'));
    const [listed] = (await KeyList.parse({ keys: [entry] })).keys;
    expect(listed).toMatchObject({ role: 'provisioner', subject: 'munich' });

    const [file] = await readdir(folder);
    expect(file).toBe(`munich-provisioner-${listed?.kid.slice(0, 8)}.private.json`);
    const path = join(folder, String(file));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await loadSigningKey(JSON.parse(await readFile(path, 'utf8')))).kid).toBe(listed?.kid);
    expect(noted.join('\n')).toContain(path);
  });

  it('prints nothing private', async () => {
    await newKey('site', 'munich');
    const [file] = await readdir(folder);
    const d = secretOf(await readFile(join(folder, String(file)), 'utf8'));
    expect([...printed, ...noted].join('\n')).not.toContain(d);
  });

  it('makes the folder where there is none', async () => {
    await newKey('site', 'munich', join(folder, 'keys', 'munich'));
    expect(await readdir(join(folder, 'keys', 'munich'))).toHaveLength(1);
  });

  it('makes a different key each time', async () => {
    await newKey('site', 'munich');
    await newKey('site', 'munich');
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('never overwrites a file', async () => {
    const sameKey = crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    vi.spyOn(crypto.subtle, 'generateKey').mockReturnValue(sameKey);
    await newKey('site', 'munich');
    await expect(newKey('site', 'munich')).rejects.toThrow('EEXIST');
  });

  it('refuses an unknown role and names those there are', async () => {
    await expect(newKey('admin', 'munich')).rejects.toThrow('Allowed choices are provisioner, site');
  });

  it('refuses a subject that does not suit the role, and writes nothing', async () => {
    await expect(newKey('site', 'a.person@example')).rejects.toThrow("the site's name");
    await expect(newKey('operator', '../escape')).rejects.toThrow('keys[0].subject');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('esr keys list', () => {
  it('shows kid, role and subject of every key', async () => {
    await newKey('site', 'munich');
    await newKey('operator', 'a.person@example');
    const list = `{ "keys": [${printed.splice(0).join(',')}] }`;
    const file = join(folder, 'key-list.json');
    await writeFile(file, list);
    const kids = (await KeyList.parse(JSON.parse(list))).keys.map((key) => key.kid);
    expect(kids).toHaveLength(2);

    await esr('list', file);
    const shown = printed.join('\n');
    for (const text of ['site', 'munich', 'operator', 'a.person@example', ...kids]) {
      expect(shown).toContain(text);
    }
  });

  it('repeats nothing of a private key that is given by mistake', async () => {
    await newKey('site', 'munich');
    const file = join(folder, String((await readdir(folder))[0]));
    const text = await readFile(file, 'utf8');
    const d = secretOf(text);
    await writeFile(join(folder, 'cut'), `"${d}`);
    for (const path of [file, join(folder, 'cut')]) {
      const failure = await esr('list', path).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(String(failure)).toContain('reading a key list');
      expect(String(failure)).not.toContain(d.slice(0, 5));
    }
  });
});
