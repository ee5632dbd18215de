import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Role } from '../../shared/adapters/signing/keys.ts';
import { run } from './run.ts';

export interface NewKey {
  /** For the receivers' key lists. */
  readonly entry: { readonly role: string };
  /** The text of the file that the command wrote. */
  readonly privateKey: string;
}

/** A key of the site, made by the command as docs/deployment.md has it. */
export async function newKey(role: Role, site: string, folder: string): Promise<NewKey> {
  const parameters = ['dist/esr.js', 'keys', 'new', '--role', role, '--subject', site, '--out', folder];
  const entry = keyEntry.parse(JSON.parse(await run(process.execPath, parameters)));
  const file = join(folder, `${site}-${role}-${entry.jwk.kid.slice(0, 8)}.private.json`);
  return { entry, privateKey: await readFile(file, 'utf8') };
}

const keyEntry = z.looseObject({ role: z.string(), jwk: z.looseObject({ kid: z.string() }) });
