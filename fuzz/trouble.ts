/** What breaks around the provisioners. Whoever breaks its own word thereby is named to the oracle. */
import type { OpenGrant } from '../shared/pool/shelf.ts';
import type { PoolOffer } from '../shared/pool/offer.ts';
import type { PortCall } from '../shared/simulation/port-calls.ts';
import type { Trouble } from './fault-kinds.ts';
import { minute, type Life } from './life.ts';
import { setTotal } from './ports.ts';
import { neighbourName } from './site.ts';
import type { Lender } from './world.ts';

/** Makes one trouble of a kind; answers whether there was anything that it could befall. */
type MakeTrouble = (life: Life) => Promise<boolean> | boolean;

/** Most seconds by which a clock is away from true time, so that two differ by at most five minutes. */
const clockErrorSeconds = 150;

export const troubleMakers: Readonly<Record<Trouble, MakeTrouble>> = {
  'clock-jumped': async (life) => {
    const { draw, world, oracle } = life;
    const lender = draw.pick(world.lenders);
    const clock = draw.of(world.controllerClock, draw.pick(life.instances)?.clock, lender?.clock);
    if (clock === undefined) return false;
    const before = clock.offset;
    if (clock === lender?.clock) await lender.shelves.settle(clock.now());
    clock.offset = draw.of(0, draw.between(-20, 20), draw.between(-clockErrorSeconds, clockErrorSeconds)) * 1000;
    oracle.clockErrorSeconds = 2 * clockErrorSeconds;
    world.controller.advance(world.controllerClock.now());
    if (clock === lender?.clock && clock.offset > before) {
      // Its leases end sooner than it said.
      for (const { id, expiresAt } of lender.openGrants(life.site.policy.site)) {
        if (expiresAt !== undefined) oracle.words.revoked.add(id);
      }
    }
    const who = clock === world.controllerClock ? 'controller' : clock === lender?.clock ? lender.name : 'an instance';
    life.tell(who, () => `its clock is ${clock.offset / 1000} s ahead of true time`);
    return true;
  },

  'party-dark': (life) => {
    const { draw, world } = life;
    const lender = draw.pick(world.lenders);
    const clock = draw.of(world.controllerClock, lender?.clock, lender?.clock);
    if (clock === undefined) return false;
    const seconds = draw.of(draw.between(30, 200), draw.between(200, 1_500));
    const fault = draw.of<'call-lost' | 'call-unanswered'>('call-lost', 'call-unanswered');
    world.dark.set(clock, { until: life.now + seconds * 1000, fault });
    const who = clock === world.controllerClock ? 'controller' : (lender?.name ?? '');
    life.tell(who, () => `is out of reach for ${seconds} s: ${fault}`);
    return true;
  },

  'lease-lost': (life) => {
    const seconds = life.draw.of(20, 60, 120);
    life.world.controller.loseLease(seconds);
    life.tell('standby', () => `takes the lease for ${seconds} s`);
    return true;
  },

  'controller-restarted': (life) => {
    life.world.restartController();
    life.tell('controller', () => 'restarts, and has forgotten the peaks');
    return true;
  },

  'controller-fell-back': (life) => {
    const { world, oracle, draw } = life;
    const older = draw.pick(life.backups);
    if (older === undefined) return false;
    const resources = world.controller.fallBackTo(older);
    for (const resource of resources) oracle.words.fellBack.add(resource);
    life.tell('controller', () => `falls back to older totals of ${resources.join(', ')}`);
    return resources.length > 0;
  },

  'total-replayed': async (life) => {
    const { world, oracle, draw } = life;
    const update = draw.pick(life.pushed);
    if (update === undefined) return false;
    const { resource, total, epoch, sequence } = update;
    life.tell('network', () => `brings the total ${total} of ${resource} (${epoch}, ${sequence}) again`);
    const call: PortCall = { method: 'setTotal', arguments: [update] };
    await oracle.around(call, async () => setTotal(world, update));
    return true;
  },

  'grant-revoked': (life) => endGrant(life, false),
  'grant-forgotten': (life) => endGrant(life, true),

  'grant-cut-short': async (life) => {
    const found = someGrant(life);
    if (found === undefined) return false;
    const { lender, grant } = found;
    const expiresAt = lender.clock.now() + life.draw.between(0, 300) * 1000;
    if ((grant.expiresAt ?? Infinity) <= expiresAt) return false;
    life.oracle.words.revoked.add(grant.id);
    await lender.shelves.cutShort(grant, expiresAt);
    life.tell(lender.name, () => `will end ${grant.id} before its time`);
    return true;
  },

  'grant-recalled': async (life) => {
    const found = someGrant(life);
    if (found === undefined) return false;
    const { lender, grant } = found;
    await lender.pool.recall(grant.id, life.draw.of(undefined, 300));
    life.tell(lender.name, () => `recalls ${grant.id}`);
    return true;
  },

  'terms-changed': (life) => {
    const { draw } = life;
    const lender = draw.pick(life.world.lenders);
    if (lender === undefined) return false;
    const change = {
      minimumHoldSeconds: draw.of(0, 120, 300),
      partialReturns: draw.happens(0.5),
      block: draw.of(1, 2, 4),
    };
    lender.changeTerms((offer: PoolOffer) => ({ ...offer, ...change }));
    life.tell(lender.name, () => `lends on other terms: ${JSON.stringify(change)}`);
    return true;
  },

  'neighbour-asked': async (life) => {
    const { draw } = life;
    const lender = draw.pick(life.world.lenders);
    if (lender === undefined) return false;
    const held = draw.pick(lender.openGrants(neighbourName));
    if (held !== undefined && draw.happens(0.5)) {
      await lender.shelves.end(held, lender.clock.now(), { forgotten: false });
      life.tell('neighbour', () => `gives ${held.tokens} ${held.resource} back to ${lender.name}`);
      return true;
    }
    const asked = { resource: draw.of('hfsshpc', 'hfss_solve'), tokens: draw.of(4, 8, 16) };
    const answer = await lender.pool.request(neighbourName, `neighbour-${life.now}-${draw.between(0, 999)}`, asked);
    life.tell('neighbour', () => `asks ${lender.name} for ${asked.tokens} ${asked.resource}: ${answer.state}`);
    return true;
  },

  'newer-schema': (life) => {
    life.setNewerSchema(life.draw.between(1, 4) * minute);
    life.tell('deployment', () => 'a newer version has written the items, this one is put back');
    return true;
  },

  'older-schema': (life) => {
    const { table } = life.world;
    table.writesOldSchema = !table.writesOldSchema;
    life.tell('deployment', () => (table.writesOldSchema ? 'the version before schemas runs' : 'this version runs'));
    return true;
  },
};

async function endGrant(life: Life, forgotten: boolean): Promise<boolean> {
  const found = someGrant(life);
  if (found === undefined) return false;
  const { lender, grant } = found;
  life.oracle.words.revoked.add(grant.id);
  await lender.shelves.end(grant, lender.clock.now(), { forgotten });
  life.tell(lender.name, () => `${forgotten ? 'forgets' : 'revokes'} ${grant.id}`);
  return true;
}

function someGrant({ draw, world, site }: Life): { lender: Lender; grant: OpenGrant } | undefined {
  const grants = world.lenders.flatMap((lender) =>
    lender.openGrants(site.policy.site).map((grant) => ({ lender, grant })),
  );
  return draw.pick(grants);
}
