import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SitePolicy } from '../../shared/domain/model.ts';
import { offerOf, policyOf, siteOf } from './builders.ts';
import { Lender } from './lender.ts';
import { Fates, World, type Fate } from './world.ts';

const site: SitePolicy = siteOf(
  policyOf({ resource: 'hfss_solve', owned: 2, providers: ['near', 'far'], maxBorrowed: 6, maxStep: 4 }),
  policyOf({ resource: 'hfsshpc', owned: 16, providers: ['near', 'far'], maxBorrowed: 32, maxStep: 24 }),
);

interface Terms {
  readonly block: number;
  readonly partialReturns: boolean;
  readonly minimumHoldSeconds: number;
  readonly leaseSeconds?: number;
}

function worldOf([near, far]: readonly [Terms, Terms], capacity: number): World {
  const offers = ({ block, ...terms }: Terms) => [
    offerOf({ resource: 'hfss_solve', maximum: 4, ...terms }),
    offerOf({ resource: 'hfsshpc', maximum: 48, block, ...terms }),
  ];
  return new World(site, [new Lender('near', capacity, offers(near)), new Lender('far', 1_000, offers(far))]);
}

const anyTerms = fc.record({
  block: fc.constantFrom(1, 8),
  partialReturns: fc.boolean(),
  minimumHoldSeconds: fc.constantFrom(0, 900),
});
const anyLease = fc.constantFrom(3_600, 7_200, 28_800);
const anyFates = fc.array(fc.constantFrom<Fate>('answered', 'answered', 'unanswered', 'lost'), { maxLength: 6 });

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('submit'), jobs: fc.integer({ min: 1, max: 4 }), hpc: fc.constantFrom(0, 3, 8, 20) }),
  fc.record({ kind: fc.constant('end'), jobs: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('wait'), seconds: fc.constantFrom(1, 30, 61, 300, 1_200) }),
  fc.record({ kind: fc.constant('pass'), fates: anyFates, unreachable: fc.subarray(['near', 'far']) }),
  fc.record({ kind: fc.constant('pass'), fates: anyFates, unreachable: fc.constant([]) }),
  fc.record({ kind: fc.constant('push'), fates: anyFates }),
  fc.record({ kind: fc.constant('tick'), fates: anyFates, minutes: fc.constantFrom(1, 3, 12) }),
  fc.record({ kind: fc.constant('recall'), provider: fc.constantFrom(0, 1) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

function run(world: World, steps: readonly Step[]): void {
  for (const step of steps) {
    take(world, step);
    world.check();
  }
}

function take(world: World, step: Step): void {
  switch (step.kind) {
    case 'submit':
      return world.cluster.submit(step.jobs, { hfss_solve: 1, hfsshpc: step.hpc }, world.now);
    case 'end':
      return world.cluster.end(step.jobs, world.now);
    case 'wait':
      return world.wait(step.seconds);
    case 'pass':
      world.pass(new Fates(step.fates), step.unreachable);
      return undefined;
    case 'push':
      return world.push(new Fates(step.fates));
    case 'tick':
      return tick(world, step.minutes, step.fates);
    case 'recall':
      return world.lenders[step.provider]?.recallAll();
  }
}

/** A pass and a push in each minute; once the fates are used up every call is answered. */
function tick(world: World, minutes: number, fates: readonly Fate[] = []): void {
  const dealt = new Fates(fates);
  for (let minute = 0; minute < minutes; minute += 1) {
    world.pass(dealt);
    world.check();
    world.push(dealt);
    world.check();
    world.wait(60);
    world.check();
  }
}

const lives = fc.record({
  terms: fc.tuple(anyTerms, anyTerms),
  capacity: fc.constantFrom(4, 20, 1_000),
  steps: fc.array(anyStep, { maxLength: 40 }),
});
const leasedLives = fc.record({
  terms: fc.tuple(
    fc.tuple(anyTerms, anyLease).map(([terms, leaseSeconds]) => ({ ...terms, leaseSeconds })),
    anyTerms,
  ),
  capacity: fc.constantFrom(4, 20, 1_000),
  steps: fc.array(anyStep, { maxLength: 40 }),
});

describe.each([
  ['endless grants', lives],
  ['grants with an end', leasedLives],
])('a site with %s', (_what, lives) => {
  it('never has a total above what it owns and is lent, nor above a cap, nor loses a token', () => {
    fc.assert(
      fc.property(lives, ({ terms, capacity, steps }) => {
        run(worldOf(terms, capacity), steps);
      }),
      { numRuns: 300 },
    );
  });

  it('gives everything back once nothing is needed, and then writes nothing more', () => {
    fc.assert(
      fc.property(lives, ({ terms, capacity, steps }) => {
        const world = worldOf(terms, capacity);
        run(world, steps);
        while (world.cluster.waiting.length + world.cluster.running.length > 0) {
          world.cluster.waiting = [];
          world.cluster.end(world.cluster.running.length, world.now);
        }
        tick(world, 45);
        for (const ledger of world.ledgers.values()) {
          expect(ledger.grants).toEqual([]);
          expect(world.cluster.total(ledger.resource, world.now)).toBe(ledger.target.owned);
        }
        const { writes } = world;
        tick(world, 5);
        expect(world.writes).toBe(writes);
      }),
      { numRuns: 60 },
    );
  });

  it('starts every waiting job once faults stop, or says why not', () => {
    fc.assert(
      fc.property(lives, ({ terms, capacity, steps }) => {
        const world = worldOf(terms, capacity);
        run(world, steps);
        tick(world, 20);
        if (world.cluster.waiting.length === 0) return;
        const notes = world.pass(new Fates([])).resources.flatMap(({ note }) => note ?? []);
        expect(notes).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
