import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Table from 'cli-table3';
import { Option, type Command } from 'commander';
import {
  KeyInvalid,
  KeyList,
  loadSigningKey,
  newKeyPair,
  roles,
  type Role,
} from '../../shared/adapters/signing/keys.ts';

/** Adds `keys new` and `keys list`. Nothing here ever prints private key material. */
export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('make signing keys and look into key lists');

  keys
    .command('new')
    .description("make a key pair: writes the private key to a file and prints the entry for the receiver's key list")
    .addOption(new Option('--role <role>', 'what the key is for').choices(roles).makeOptionMandatory())
    .requiredOption('--subject <name>', "the site's name for provisioner, site and controller keys, else a free name")
    .option('--out <directory>', 'where to write the private key', '.')
    .action(newKey);

  keys
    .command('list')
    .description('show the keys of a key list')
    .argument('<file>', 'a key list: { "keys": [entries] }')
    .action(listKeys);
}

async function newKey(options: { role: Role; subject: string; out: string }): Promise<void> {
  const { role, subject, out } = options;
  const { privateJwk, publicJwk } = await newKeyPair();
  const entry = { role, subject, jwk: publicJwk };
  // The receiver's own check, before anything is written: the subject must suit the role.
  await KeyList.parse({ keys: [entry] });
  const { kid } = await loadSigningKey(privateJwk);
  const path = join(out, `${subject}-${role}-${kid.slice(0, 8)}.private.json`);
  await mkdir(out, { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(privateJwk, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });

  console.error(`Wrote the private key to ${path}; keep it secret. The entry for the receiver's key list:`);
  console.log(JSON.stringify(entry, undefined, 2));
}

async function listKeys(file: string): Promise<void> {
  const list = await KeyList.parse(await readJson(file));
  const table = new Table({ head: ['kid', 'role', 'subject'], style: { head: [], border: [] } });
  table.push(...list.keys.map((key) => [key.kid, key.role, key.subject]));
  console.log(table.toString());
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out: it quotes the file, which may hold a private key.
    throw new KeyInvalid(`reading a key list: ${file} is not JSON`);
  }
}
