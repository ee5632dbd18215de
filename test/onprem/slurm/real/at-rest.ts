import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { owned, type SlurmSite } from './site.ts';

/** Resolves when every part of the site agrees that nothing is borrowed: it ends. */
export async function atRest(site: SlurmSite, withinSeconds = 300): Promise<void> {
  let seen: unknown;
  const look = async (): Promise<boolean> => {
    const [figures, grants, counted, lent] = await Promise.all([
      site.status.figures(),
      site.status.grants(),
      site.counted(),
      site.lent(),
    ]);
    seen = { figures, grants, counted, lent };
    return (
      figures.total === owned &&
      figures.applied === owned &&
      figures.waiting + figures.coming + figures.going === 0 &&
      grants.length === 0 &&
      counted.total === owned &&
      lent.size === 0
    );
  };
  await eventually('nothing is borrowed', look, withinSeconds).catch((cause: unknown) => {
    expect.fail(`${String(cause)}\n${JSON.stringify(seen)}`);
  });
}
