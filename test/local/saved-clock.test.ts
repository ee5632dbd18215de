import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { FileUnusable } from '../../shared/local/read-kept.ts';
import { savedClock } from '../../shared/local/saved-clock.ts';
import { newFolder, second, start } from './made-site.ts';

const log = new JsonLog(() => {});
const clockIn = (directory: string, speed = 1) => savedClock({ directory, begin: start, speed, log });

describe('the time of a run', () => {
  it('stands still until it is started, and goes on from where it was', async () => {
    const directory = await newFolder();
    const first = await clockIn(directory, 1_000);
    expect([first.now(), first.continued]).toEqual([start, false]);
    await first.start();
    await expect.poll(() => first.now()).toBeGreaterThan(start + second);
    await first.close();

    const next = await clockIn(directory);
    expect(next.continued).toBe(true);
    expect(next.now()).toBeGreaterThan(start + second);
    expect(JSON.parse(await readFile(join(directory, 'clock.json'), 'utf8'))).toEqual({ now: next.now() });
  });

  it('does not begin anew because its file cannot be read', async () => {
    const directory = await newFolder();
    await mkdir(join(directory, 'clock.json'));
    await expect(clockIn(directory)).rejects.toThrow(FileUnusable);
  });

  it('does not begin anew because its file is damaged', async () => {
    const directory = await newFolder();
    await writeFile(join(directory, 'clock.json'), '{"now":');
    await expect(clockIn(directory)).rejects.toThrow(FileUnusable);
  });
});
