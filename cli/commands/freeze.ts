import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { baseUrl, HttpClient } from '../../shared/adapters/http/client.ts';
import { KeyInvalid, loadSigningKey, type SigningKey } from '../../shared/adapters/signing/keys.ts';
import { problem } from '../../shared/contracts/common.ts';
import type { LocalKeys } from '../../shared/local/local-keys.ts';
import { readKept } from '../../shared/local/read-kept.ts';

interface FreezeOptions {
  readonly url: string;
  readonly key?: string;
  readonly subject?: string;
  readonly data?: string;
}

/** Adds `freeze` and `thaw`. */
export function registerFreeze(program: Command): void {
  const add = (name: string, description: string, method: 'PUT' | 'DELETE', done: string): void => {
    program
      .command(name)
      .description(description)
      .argument('<site>', 'the name of the site')
      .option('--url <url>', "of the site's API", 'http://127.0.0.1:8480')
      .option('--key <file>', 'private key of the role operator (default: that of a local run)')
      .option('--subject <name>', "the key's subject in the site's key list (default: the site)")
      .option('--data <directory>', 'of a local run, for its key (default: .esr/<site>)')
      .action(async (site: string, options: FreezeOptions) => {
        await call(`telling ${site} to ${name}`, method, site, options);
        console.log(`${site}: ${done}`);
      });
  };
  add('freeze', 'stop all borrowing of a site at once; what is lent is returned as ever', 'PUT', 'frozen');
  add('thaw', 'let a frozen site borrow again', 'DELETE', 'borrows again');
}

async function call(doing: string, method: string, site: string, options: FreezeOptions): Promise<void> {
  const { url, subject = site } = options;
  const client = new HttpClient({ key: await operatorKey(site, options), subject, audience: site });
  const { status, body } = await client.request({ method, url: `${baseUrl(url)}/v1/freeze` });
  if (status < 300) return;
  const reason = problem.safeParse(body).data?.detail ?? 'without a reason';
  throw new Error(`${doing}: answered ${status}, ${reason}`);
}

async function operatorKey(site: string, { key, data = join('.esr', site) }: FreezeOptions): Promise<SigningKey> {
  if (key !== undefined) return loadSigningKey(await readJson(key));
  const kept = await readKept<LocalKeys>(join(data, 'keys.json'));
  if (kept === undefined) throw new Error(`looking for the key of a local run in ${data}: none; name one with --key`);
  return loadSigningKey(kept.own.operator);
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out: it quotes the file, which holds a private key.
    throw new KeyInvalid(`reading the key in ${file}: it is not JSON`);
  }
}
