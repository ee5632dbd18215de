import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localKeys } from '../../shared/local/local-keys.ts';
import { FileUnusable } from '../../shared/local/read-kept.ts';
import { newFolder } from './made-site.ts';

describe('the keys of a local site', () => {
  it('are the same at every start', async () => {
    const directory = await newFolder();
    const made = await localKeys(directory, 'munich');
    expect(await localKeys(directory, 'munich')).toEqual(made);
  });

  it('do not show in the error that their file is damaged', async () => {
    const directory = await newFolder();
    await writeFile(join(directory, 'keys.json'), 'SECRET-KEY');
    await expect(localKeys(directory, 'munich')).rejects.toThrow(expect.not.stringContaining('SECRET'));
    await expect(localKeys(directory, 'munich')).rejects.toThrow(FileUnusable);
  });
});
