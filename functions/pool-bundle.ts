/** The pool file as the pool's function reads it: one JSON document, made when it is deployed. */
import { readFile } from 'node:fs/promises';
import type { LoadedPool } from '../shared/config/load-pool.ts';
import type { Tokens } from '../shared/domain/model.ts';
import type { PoolOffer } from '../shared/pool/offer.ts';

export interface PoolBundle {
  readonly name: string;
  readonly offers: readonly PoolOffer[];
  /** By site and resource. */
  readonly siteMaxima: Readonly<Record<string, Readonly<Record<string, Tokens>>>>;
  readonly keys: LoadedPool['keys'];
}

export function poolBundle({ name, offers, sites, keys }: LoadedPool): PoolBundle {
  return { name, offers, siteMaxima: Object.fromEntries(sites.map(({ site, maximum }) => [site, maximum])), keys };
}

/** It was made and checked by `poolBundle`, so it is only read. */
export async function readPoolBundle(path: string): Promise<PoolBundle> {
  const bundle: PoolBundle = JSON.parse(await readFile(path, 'utf8'));
  return bundle;
}
