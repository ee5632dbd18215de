import { describe, expect, it } from 'vitest';
import { billOf } from '../../shared/cost/bill.ts';
import type { Usage } from '../../shared/cost/usage.ts';

const unused: Usage = {
  lambdaRequests: 0,
  lambdaDuration: 0,
  schedules: 0,
  events: 0,
  tableReads: 0,
  tableWrites: 0,
  tableStorage: 0,
  tableBackup: 0,
  apiRequests: 0,
  logIngestion: 0,
  logStorage: 0,
  secretCalls: 0,
  secrets: 0,
  alarms: 0,
  dashboards: 0,
};

describe('a bill', () => {
  it('is nothing for nothing', () => {
    expect(billOf(unused)).toMatchObject({ variesWithUse: 0, allIn: 0 });
  });

  it('has what was used at its price, by the units in which it is sold', () => {
    const { lines } = billOf({ ...unused, tableReads: 2_000_000, tableWrites: 1_000_000, secretCalls: 10_000 });
    const costs = lines.filter(({ cost }) => cost > 0).map(({ service, what, cost }) => [service, what, cost]);
    expect(costs).toEqual([
      ['DynamoDB', 'reads', 0.25],
      ['DynamoDB', 'writes', 0.625],
      ['Secrets Manager', 'API calls', 0.05],
    ]);
  });

  it('tells what varies with use from what is there anyway', () => {
    const { variesWithUse, allIn } = billOf({ ...unused, schedules: 100_000, secrets: 2, alarms: 3, dashboards: 1 });
    expect(variesWithUse).toBeCloseTo(0.1, 10);
    expect(allIn).toBeCloseTo(0.1 + 0.8 + 0.3 + 3, 10);
  });
});
