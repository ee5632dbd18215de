import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../../shared/local/engine.ts';
import { EngineError } from '../../shared/local/engine-error.ts';
import { missing, putNumbered, tablesOf } from './engine-data.ts';
import { EngineFixture, engineKinds } from './engine-fixture.ts';

const fixture = new EngineFixture();

describe.each(engineKinds)('an engine of kind %s', (kind) => {
  it('makes its directory, and has its data again after a stop', async () => {
    const directory = join(fixture.directory, 'not', 'there', 'yet');
    const before = await fixture.start({ kind, directory });
    await putNumbered(before, 3);
    await before.stop();
    expect(await before.ended).toBeUndefined();
    expect(await missing(await fixture.start({ kind, directory }), 3)).toEqual([]);
  });

  it('keeps everything in memory without a directory', async () => {
    const before = await fixture.start({ kind });
    await putNumbered(before, 1);
    await before.stop();
    expect(await tablesOf(await fixture.start({ kind }))).toEqual([]);
  });

  it('runs beside another one', async () => {
    const [one, two] = [await fixture.start({ kind }), await fixture.start({ kind })];
    await putNumbered(one, 1);
    expect(await tablesOf(two)).toEqual([]);
  });

  it('can be stopped twice', async () => {
    const engine = await fixture.start({ kind });
    await Promise.all([engine.stop(), engine.stop()]);
    await expect(engine.stop()).resolves.toBeUndefined();
  });

  it('says which directory it cannot write', async () => {
    const file = join(fixture.directory, 'file');
    await writeFile(file, '');
    const starting = startEngine({ kind, directory: join(file, 'data') });
    await expect(starting).rejects.toBeInstanceOf(EngineError);
    await expect(starting).rejects.toThrow(join(file, 'data'));
  });

  it('is chosen by auto for a directory that it has written before', async () => {
    const directory = fixture.directory;
    const before = await fixture.start({ kind, directory });
    await putNumbered(before, 1);
    await before.stop();
    const after = await fixture.start({ directory });
    expect(after.kind).toBe(kind);
    expect(await missing(after, 1)).toEqual([]);
  });
});

it('takes the preferred engine that runs on this machine for a new directory', async () => {
  expect((await fixture.start({ directory: fixture.directory })).kind).toBe(engineKinds[0]);
});
