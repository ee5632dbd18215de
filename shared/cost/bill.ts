import { pricesOfParts, pricesOfUse, type Price } from './prices.ts';
import type { Usage } from './usage.ts';

/** One line of a month's bill. */
export interface Line extends Price {
  readonly variesWithUse: boolean;
  /** In `unit`s. */
  readonly quantity: number;
  /** In USD. */
  readonly cost: number;
}

/** Costs in USD a month. */
export interface Bill {
  readonly lines: readonly Line[];
  readonly variesWithUse: number;
  readonly allIn: number;
}

export function billOf(usage: Usage): Bill {
  const ofUse = linesOf(pricesOfUse, usage, true);
  const lines = [...ofUse, ...linesOf(pricesOfParts, usage, false)];
  return { lines, variesWithUse: costOf(ofUse), allIn: costOf(lines) };
}

function linesOf(prices: Partial<Record<keyof Usage, Price>>, usage: Usage, variesWithUse: boolean): Line[] {
  return Object.entries(prices).map(([name, price]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `prices` has no other keys
    const quantity = usage[name as keyof Usage];
    return { ...price, variesWithUse, quantity, cost: (quantity / price.per) * price.usd };
  });
}

const costOf = (lines: readonly Line[]): number => lines.reduce((total, { cost }) => total + cost, 0);
