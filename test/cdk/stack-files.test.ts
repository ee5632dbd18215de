import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stackFiles } from '../../cdk/stack-files.ts';
import { newFolder } from '../local/made-site.ts';

const none = { site: undefined, pool: undefined };

describe('the files that stacks are made of', () => {
  it('are all sites and pools where none is named, and nothing else that lies beside them', async () => {
    const root = await newFolder();
    for (const folder of ['sites', 'pools', 'sites/keys']) await mkdir(join(root, folder));
    for (const file of ['sites/munich.yaml', 'sites/austin.yaml', 'sites/keys/austin.json', 'pools/burst.yaml']) {
      await writeFile(join(root, file), '');
    }
    expect(await stackFiles(none, root)).toEqual({
      sites: [join(root, 'sites/austin.yaml'), join(root, 'sites/munich.yaml')],
      pools: [join(root, 'pools/burst.yaml')],
    });
  });

  it('are none where there are no such folders', async () => {
    expect(await stackFiles(none, await newFolder())).toEqual({ sites: [], pools: [] });
  });

  it.each([
    [
      { ...none, site: 'here/austin.yaml' },
      { sites: ['here/austin.yaml'], pools: [] },
    ],
    [
      { ...none, pool: 'here/burst.yaml' },
      { sites: [], pools: ['here/burst.yaml'] },
    ],
  ])('are the named one alone: %j', async (named, files) => {
    expect(await stackFiles(named)).toEqual(files);
  });
});
