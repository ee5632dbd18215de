/** A local site whose jobs run on the site's own cluster, behind the controller that its site file names. */
import { join } from 'node:path';
import type { ControllerParts, LocalController } from './local-site.ts';
import { writeDurably } from './write-durably.ts';

/** The controller keeps real time, so its site does too. */
export class RealTimeOnly extends Error {
  override readonly name = 'RealTimeOnly';
  readonly speed: number;

  constructor(url: string, speed: number) {
    super(
      `running the site ${speed} times as fast as real time: its controller, ${url}, keeps real time; leave --speed out, or give a --trace for the reference cluster`,
    );
    this.speed = speed;
  }
}

/**
 * Nothing is started: the controller runs already, or will. What it must know of this run's keys is written beside the
 * other data: `callers.json`, who may call it, and `controller.private.json`, its own key for announcing demand.
 */
export function siteController(
  url: string,
  directory: string,
): (parts: Pick<ControllerParts, 'keys'>) => Promise<LocalController> {
  return async ({ keys }) => {
    await writeDurably(join(directory, 'callers.json'), JSON.stringify(keys.keyList, undefined, 2));
    await writeDurably(join(directory, 'controller.private.json'), JSON.stringify(keys.own.controller), 0o600);
    return { url, close: async () => {} };
  };
}
