import { deliveryOf } from '../../functions/site-bundle.ts';
import { functionsFor, type FunctionSpec } from '../../functions/manifest.ts';
import type { LoadedSite } from '../config/load.ts';
import { deploy } from '../config/deploy.ts';
import type { pricesOfParts } from './prices.ts';

/** The parts of a site's stack that are paid for as long as they are there; a test holds them to the stack itself. */
export type Parts = Readonly<Record<keyof typeof pricesOfParts, number>>;

/** The functions of the site's stack. */
export const functionsOf = (site: LoadedSite): readonly FunctionSpec[] => functionsFor(deliveryOf(site));

export function partsOf(site: LoadedSite): Parts {
  const { dashboard } = site.file.deploy ?? deploy.parse({});
  const functions = functionsOf(site);
  const scheduled = functions.filter(({ everySeconds }) => everySeconds !== undefined);
  return {
    // Each function's errors and throttles, each schedule's silence; dead letters, server errors and reported alarms.
    alarms: 2 * functions.length + scheduled.length + 3,
    dashboards: dashboard ? 1 : 0,
    secrets: new Set(functions.flatMap(({ signsWith }) => signsWith ?? [])).size,
  };
}
