import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The files to make stacks of. `named` is what follows `-c` on the command line; with a name there, it is that file alone. */
export async function stackFiles(
  named: { readonly site: string | undefined; readonly pool: string | undefined },
  root = '.',
): Promise<{ readonly sites: readonly string[]; readonly pools: readonly string[] }> {
  const { site, pool } = named;
  if (site === undefined && pool === undefined) {
    return { sites: await yamlFiles(join(root, 'sites')), pools: await yamlFiles(join(root, 'pools')) };
  }
  return { sites: site === undefined ? [] : [site], pools: pool === undefined ? [] : [pool] };
}

/** By name. A folder that is not there holds none. */
async function yamlFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}
