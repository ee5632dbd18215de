import { describe, expect, it } from 'vitest';
import { admit, type Supply } from '../../shared/domain/admit.ts';
import { decide } from '../../shared/domain/decide.ts';
import type { SitePolicy, WaitingClass } from '../../shared/domain/model.ts';
import {
  decisionFor,
  ledgerOf,
  look,
  observedOf,
  offerOf,
  ofKind,
  policyOf,
  providerOf,
  siteOf,
  situationOf,
  waitingOf,
} from './builders.ts';

const solver = policyOf({ resource: 'hfss_solve', owned: 4 });
const hpc = policyOf({ resource: 'hfsshpc', owned: 100 });
const burst = providerOf('burst', offerOf({ resource: 'hfss_solve' }), offerOf({ resource: 'hfsshpc' }));

/** Tokens to be borrowed of each resource, with everything that is owned in use. */
function borrowed(waiting: readonly WaitingClass[], site: SitePolicy = siteOf(solver, hpc)): Record<string, number> {
  const ledgers = site.resources.map((policy) => ledgerOf(policy));
  const observation = look(
    ledgers.map((ledger) => observedOf(ledger, { inUse: ledger.target.owned })),
    waiting,
  );
  const { resources } = decide(situationOf({ ledgers, observation, providers: [burst] }), site);
  return Object.fromEntries(
    resources.flatMap((decision) => {
      const tokens = ofKind(decision, 'borrow').reduce((sum, { tokens }) => sum + tokens, 0);
      return tokens === 0 ? [] : [[decision.resource, tokens]];
    }),
  );
}

describe('admission of waiting jobs', () => {
  it('borrows every feature that the waiting jobs need', () => {
    expect(borrowed([waitingOf(3, { hfss_solve: 1, hfsshpc: 32 })])).toEqual({ hfss_solve: 3, hfsshpc: 96 });
  });

  it("borrows neither feature for a job when one can't be had", () => {
    const site = siteOf({ ...solver, maxBorrowed: 0 }, hpc);
    expect(borrowed([waitingOf(1, { hfss_solve: 1, hfsshpc: 32 })], site)).toEqual({});
  });

  it('borrows for as many jobs of a class as the scarcest feature allows', () => {
    const site = siteOf({ ...solver, maxBorrowed: 2 }, hpc);
    expect(borrowed([waitingOf(5, { hfss_solve: 1, hfsshpc: 32 })], site)).toEqual({ hfss_solve: 2, hfsshpc: 64 });
  });

  it('admits in the order of the scheduler: what the first class takes the second cannot have', () => {
    const site = siteOf({ ...solver, maxBorrowed: 2 }, hpc);
    const first = waitingOf(2, { hfss_solve: 1, hfsshpc: 1 });
    const second = waitingOf(2, { hfss_solve: 1, hfsshpc: 50 });
    expect(borrowed([first, second], site)).toEqual({ hfss_solve: 2, hfsshpc: 2 });
    expect(borrowed([second, first], site)).toEqual({ hfss_solve: 2, hfsshpc: 100 });
  });

  it('serves a later class that fits when an earlier one can never start', () => {
    expect(borrowed([waitingOf(1, { hfsshpc: 301 }), waitingOf(1, { hfsshpc: 20 })])).toEqual({ hfsshpc: 20 });
  });

  it('never borrows for a job larger than owned and borrowable together', () => {
    expect(borrowed([waitingOf(1, { hfsshpc: 201 })])).toEqual({});
    expect(borrowed([waitingOf(1, { hfsshpc: 200 })])).toEqual({ hfsshpc: 200 });
  });

  it('borrows nothing for a job that needs a resource nobody knows', () => {
    expect(borrowed([waitingOf(1, { hfsshpc: 10, unheard_of: 1 })])).toEqual({});
  });

  it('counts tokens that are free or on their way before it borrows', () => {
    const ledger = ledgerOf(hpc, { id: 'coming', tokens: 30, unanswered: true });
    const observation = look([observedOf(ledger, { inUse: 90 })], [waitingOf(1, { hfsshpc: 64 })]);
    const { changes } = decisionFor(hpc, situationOf({ ledgers: [ledger], observation }));
    expect(changes).toMatchObject([{ kind: 'borrow', tokens: 24 }]);
  });

  it('is limited by a resource that is not elastic', () => {
    const ledger = ledgerOf(hpc);
    const cpu = { ...observedOf(ledgerOf(policyOf({ resource: 'cpu_site', owned: 8 }))), inUse: 6 };
    const waiting = [waitingOf(5, { cpu_site: 1, hfsshpc: 10 })];
    const observation = look([observedOf(ledger, { inUse: 100 }), cpu], waiting);
    const decision = decisionFor(hpc, situationOf({ ledgers: [ledger], observation }));
    expect(ofKind(decision, 'borrow')).toMatchObject([{ tokens: 20 }]);
    expect(decision.note).toContain('cpu_site: all in use, and not elastic');
  });

  it('sees tokens of a fixed resource that only the licence server counts as used', () => {
    const ledger = ledgerOf(hpc);
    const fixed = observedOf(ledgerOf(policyOf({ resource: 'cpu_site', owned: 8 })), {
      observed: { inUse: 8, issued: 8, ageSeconds: 5 },
    });
    const observation = look([observedOf(ledger, { inUse: 100 }), fixed], [waitingOf(1, { cpu_site: 1, hfsshpc: 10 })]);
    expect(decisionFor(hpc, situationOf({ ledgers: [ledger], observation })).changes).toEqual([]);
  });

  it('borrows nothing for a resource that the controller did not report', () => {
    const observation = look([], [waitingOf(1, { hfsshpc: 10 })]);
    const decision = decisionFor(hpc, situationOf({ ledgers: [ledgerOf(hpc)], observation }));
    expect(decision).toMatchObject({ changes: [], note: expect.stringContaining('its state is not known') });
  });

  it('borrows neither feature while the block of one is larger than what may be asked for in a pass', () => {
    const coarse = providerOf(
      'burst',
      offerOf({ resource: 'hfss_solve', block: 32 }),
      offerOf({ resource: 'hfsshpc' }),
    );
    const site = siteOf({ ...solver, maxStep: 8 }, hpc);
    const ledgers = site.resources.map((policy) => ledgerOf(policy));
    const observation = look(
      ledgers.map((ledger) => observedOf(ledger, { inUse: ledger.target.owned })),
      [waitingOf(1, { hfss_solve: 1, hfsshpc: 32 })],
    );
    const { resources } = decide(situationOf({ ledgers, observation, providers: [coarse] }), site);
    expect(resources.flatMap(({ changes }) => changes)).toEqual([]);
    expect(resources[0]?.note).toContain('hfss_solve');
  });
});

describe('patience', () => {
  const slow = { ...hpc, borrowAfterSeconds: 600 };

  it('borrows nothing for a class that has not waited long enough, and says so', () => {
    const ledger = ledgerOf(slow);
    const observation = look([observedOf(ledger, { inUse: 100 })], [waitingOf(1, { hfsshpc: 10 }, 599)]);
    const decision = decisionFor(slow, situationOf({ ledgers: [ledger], observation }));
    expect(decision.changes).toEqual([]);
    expect(decision.note).toBe("1 job for 10 hfsshpc can't start: it has waited 9 min, borrowing begins after 10 min");
  });

  it('borrows once the class has waited as long as asked', () => {
    expect(borrowed([waitingOf(1, { hfsshpc: 10 }, 600)], siteOf(slow))).toEqual({ hfsshpc: 10 });
  });

  it('asks for the longest patience among the resources that would be borrowed, and of no other', () => {
    const site = siteOf(solver, slow);
    expect(borrowed([waitingOf(1, { hfss_solve: 1, hfsshpc: 10 }, 599)], site)).toEqual({});
    expect(borrowed([waitingOf(1, { hfss_solve: 1 }, 1)], site)).toEqual({ hfss_solve: 1 });
  });

  it('borrows nothing for an impatient class although more is in use than the total', () => {
    const ledger = ledgerOf(slow);
    const inUse = { inUse: 100, observed: { inUse: 130, issued: 130, ageSeconds: 5 } };
    const observation = look([observedOf(ledger, inUse)], [waitingOf(1, { hfsshpc: 10 }, 5)]);
    expect(decisionFor(slow, situationOf({ ledgers: [ledger], observation })).changes).toEqual([]);
  });

  it("borrows nothing for a job that can't start although more is in use than the total", () => {
    const ledger = ledgerOf(hpc);
    const inUse = { inUse: 100, observed: { inUse: 130, issued: 130, ageSeconds: 5 } };
    const observation = look([observedOf(ledger, inUse)], [waitingOf(1, { hfsshpc: 10, unheard_of: 1 })]);
    expect(decisionFor(hpc, situationOf({ ledgers: [ledger], observation })).changes).toEqual([]);
  });
});

describe('the order of keys', () => {
  it('does not change what is borrowed or why', () => {
    const site = siteOf({ ...solver, maxBorrowed: 1 }, { ...hpc, maxBorrowed: 32 });
    const ledgers = site.resources.map((policy) => ledgerOf(policy));
    const decided = [
      { hfss_solve: 1, hfsshpc: 32 },
      { hfsshpc: 32, hfss_solve: 1 },
    ].map((needs) => {
      const resources = ledgers.map((ledger) => observedOf(ledger, { inUse: ledger.target.owned }));
      const observation = look(resources, [waitingOf(4, needs)]);
      return decide(situationOf({ ledgers, observation, providers: [burst] }), site);
    });
    expect(decided[0]?.resources[0]?.note).toBeDefined();
    expect(decided[1]).toEqual(decided[0]);
  });
});

describe('the cost of admission', () => {
  class CountingSupplies extends Map<string, Supply> {
    gets = 0;
    override get(resource: string): Supply | undefined {
      this.gets += 1;
      return super.get(resource);
    }
  }

  function lookUps(classes: number, needs: number): number {
    const names = Array.from({ length: needs }, (_, index) => `feature${index}`);
    const supplies = new CountingSupplies(
      names.map((name) => [name, { available: 10, borrowable: 100, borrowAfterSeconds: 900, limit: 'all lent' }]),
    );
    const waiting = Array.from({ length: classes }, () =>
      waitingOf(1_000_000, Object.fromEntries(names.map((name) => [name, 1]))),
    );
    admit(waiting, supplies);
    return supplies.gets;
  }

  it('grows with classes times needs, and not with the number of jobs', () => {
    expect(lookUps(1_000, 4)).toBeGreaterThan(0);
    expect(lookUps(1_000, 4)).toBeLessThanOrEqual(6 * 1_000 * 4);
    expect(lookUps(2_000, 4)).toBeLessThanOrEqual(2.1 * lookUps(1_000, 4));
    expect(lookUps(1_000, 8)).toBeLessThanOrEqual(2.1 * lookUps(1_000, 4));
  });
});
