import { assembleSite } from '../shared/config/load.ts';
import { billOf, type Bill } from '../shared/cost/bill.ts';
import { measure } from '../shared/cost/measure.ts';
import { pricesAsOf } from '../shared/cost/prices.ts';
import { monthlyUsage } from '../shared/cost/usage.ts';
import { atMost, type Benchmark, type Row } from './benchmark.ts';
import { generatedSite, resourceNames } from './generated-site.ts';

const busyBorrowsADay = 100;
const largeSite = 100;
const targets = { variesWithUse: 0.1, allIn: 3 };

/** What a deployed site costs a month, at list prices, from the calls of its own passes: as `esr cost` prices it. */
export const cost: Benchmark = {
  name: 'cost',
  async run() {
    const rows: Row[] = [];
    for (const resources of [1, largeSite]) rows.push(...(await ofSite(resources)));
    return rows;
  },
};

async function ofSite(resources: number): Promise<Row[]> {
  const { file } = await generatedSite({ resources: resourceNames(resources) });
  // Three dashboards of an account are free of charge, and prices are without what is.
  const site = assembleSite({ ...file, deploy: { dashboard: false } });
  const measured = await measure(site);
  const of = (borrowsADay: number): Bill => billOf(monthlyUsage(site, measured, borrowsADay));
  const name = `cost, ${resources === 1 ? '1 resource' : `${resources} resources`}`;
  const how = `list prices of us-east-1 as of ${pricesAsOf}, without a dashboard and without what is free of charge`;
  const idle = of(0);
  const limited = resources === largeSite;
  return [
    { measure: `${name}, idle: varies with use`, ...priced(idle.variesWithUse, limited && targets.variesWithUse), how },
    { measure: `${name}, idle: all in`, ...priced(idle.allIn, limited && targets.allIn), how },
    { measure: `${name}, ${busyBorrowsADay} borrows a day: all in`, ...priced(of(busyBorrowsADay).allIn, false), how },
  ];
}

const dollars = (usd: number): string => `$${usd.toFixed(2)} a month`;

function priced(usd: number, limit: number | false): Omit<Row, 'measure' | 'how'> {
  return limit === false ? { figure: dollars(usd) } : atMost(usd, limit, dollars);
}
