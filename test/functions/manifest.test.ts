import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { functions } from '../../functions/manifest.ts';
import { poolFunction } from '../../functions/pool-manifest.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { takeDirectory } from '../../shared/adapters/take-directory.ts';
import { startLocalSite } from '../../shared/local/local-site.ts';
import { Activity } from '../../shared/simulation/activity.ts';
import { madeSite } from '../local/made-site.ts';

describe('the manifest', () => {
  it('lists every file that has a handler, and no others', async () => {
    const withHandler: string[] = [];
    for (const file of await readdir('functions')) {
      if ('handler' in (await moduleOf(file))) withHandler.push(file);
    }
    expect([...functions, poolFunction].map(({ entry }) => entry).toSorted()).toEqual(withHandler.toSorted());
  });

  it('loads the file that it names', async () => {
    for (const { entry, load } of [...functions, poolFunction]) {
      expect(await load()).toBe(await moduleOf(entry));
    }
  });

  it('leaves no function without a trigger', () => {
    for (const { everySeconds, events, routes } of functions) {
      expect(everySeconds !== undefined || events.length > 0 || routes.length > 0).toBe(true);
    }
  });

  it('has a function behind each route, and checks the signature where the function does', async () => {
    const { site, directory } = await madeSite();
    const letGo = await takeDirectory(directory);
    onTestFinished(letGo);
    const options = { clock: systemClock, log: new JsonLog(() => {}), activity: new Activity(), port: 0 };
    const local = await startLocalSite({ site, directory, ...options });
    onTestFinished(() => local.close());
    for (const { method, path, authentication } of functions.flatMap(({ routes }) => routes)) {
      const { status } = await fetch(`${local.functions.url}${path.replace('{path+}', 'site')}`, { method });
      expect([path, status]).toEqual([path, authentication === 'function' ? 401 : 200]);
    }
    expect((await fetch(`${local.functions.url}/elsewhere`)).status).toBe(404);
  });
});

async function moduleOf(file: string): Promise<object> {
  const module: object = await import(`../../functions/${file.replace(/\.ts$/, '')}.ts`);
  return module;
}
