import { describe, expect, it } from 'vitest';
import { statusTable } from '../../cli/live-table.ts';
import type { ResourceStatus } from '../../shared/contracts/status.ts';

const lastReason = '24 tokens from burst: 1 job has waited 11 s for 1 hfss_solve + 24 hfsshpc';
const resource: ResourceStatus = {
  name: 'hfsshpc',
  elastic: true,
  ledger: { owned: 40, borrowed: 16, total: 56, grants: 1, coming: 16, going: 0, confirmed: false, ageSeconds: 0 },
  controller: { total: 40, inUse: 32, waiting: 48, free: 8, ageSeconds: 0 },
  lastReason,
};

describe('the table of a live site', () => {
  it('shows all figures at 80 columns, and the last change under them', () => {
    const [head, figures, reason] = statusTable([resource], 80).split('\n');
    expect(head).toMatch(/ GOING$/);
    expect(figures).toMatch(/ hfsshpc +40→56 +40 +16 +32 +48 +1 +16 +0$/);
    expect(reason).toMatch(/^hfsshpc: 24 tokens from burst/);
  });

  it('shows the last change beside the figures where there is room', () => {
    expect(statusTable([resource], 200).split('\n')[1]).toContain(lastReason);
  });

  it.each([20, 60, 80, 120, 160, 200])('has no line that wraps at %i columns', (width) => {
    const lengths = statusTable([resource], width)
      .split('\n')
      .map((line) => line.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(width);
  });
});
