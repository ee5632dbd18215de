import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pool } from '../../shared/pool/pool.ts';
import { PoolProblem } from '../../shared/pool/problem.ts';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { anOffer, HandClock, resource, start } from './support.ts';

const terms = { block: 4, capacity: 32, maximum: 24, minimumHoldSeconds: 100, leaseSeconds: 400 };
const sites = ['munich', 'austin', 'kyoto'];

/** What the pool promises, by its own simple book: nothing in it is ever forgotten but returns of parts. */
interface Book {
  readonly grants: Map<string, Entry>;
  now: number;
}

interface Entry {
  readonly site: string;
  /** `undefined`: given back before it was asked for. */
  readonly asked?: number;
  lent: number;
  readonly refused: boolean;
  readonly madeAt: number;
  expiresAt: number;
  recalled: boolean;
  returns: { returnId: string; tokens: number; at: number }[];
}

/** Two copies of a pool on one store. */
interface Real {
  readonly copies: readonly Pool[];
  readonly clock: HandClock;
}

type Command = fc.AsyncCommand<Book, Real>;

const lentNow = ({ grants, now }: Book, site?: string): number =>
  [...grants.values()]
    .filter((entry) => entry.expiresAt > now && (site === undefined || entry.site === site))
    .reduce((sum, { lent }) => sum + lent, 0);

/** What came of a call: its answer, or the type of the problem. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (error instanceof PoolProblem) return error.type;
    throw error;
  });

/** A command on one of the copies; `expected` is by the book, which it brings up to date. */
function command(
  name: string,
  copy: number,
  call: (pool: Pool) => Promise<unknown>,
  expected: (book: Book) => unknown,
): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(book, { copies }) {
      const pool = copies[copy];
      if (pool === undefined) throw new Error('no such copy');
      expect(await outcomeOf(call(pool))).toEqual(expected(book));
      for (const site of sites) {
        const listed = await pool.list(site);
        const tokens = listed.map((grant) => (grant.state === 'granted' ? grant.tokens : 0));
        expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(lentNow(book, site));
        expect(lentNow(book, site)).toBeLessThanOrEqual(terms.maximum);
      }
      expect(lentNow(book)).toBeLessThanOrEqual(terms.capacity);
    },
  };
}

function askFor(copy: number, site: string, id: string, tokens: number): Command {
  return command(
    `ask(${site}, ${id}, ${tokens})`,
    copy,
    (pool) => pool.request(site, id, { resource, tokens }),
    (book) => {
      const known = book.grants.get(id);
      if (known === undefined) {
        const free = Math.min(terms.capacity - lentNow(book), terms.maximum - lentNow(book, site), tokens);
        const lent = Math.floor(free / terms.block) * terms.block;
        const times = { madeAt: book.now, expiresAt: book.now + terms.leaseSeconds };
        book.grants.set(id, { site, asked: tokens, lent, refused: lent === 0, ...times, recalled: false, returns: [] });
      } else if (known.site !== site || (known.asked !== undefined && known.asked !== tokens)) return 'conflict';
      return expect.objectContaining(stateOf(book, id));
    },
  );
}

function stateOf(book: Book, id: string): object {
  const entry = book.grants.get(id);
  if (entry === undefined) throw new Error(`no ${id} in the book`);
  if (entry.refused) return { state: 'refused' };
  if (entry.lent === 0 || entry.expiresAt <= book.now) return { state: 'ended' };
  const recalled = entry.recalled ? { recalled: {} } : {};
  return { state: 'granted', tokens: entry.lent, ageSeconds: book.now - entry.madeAt, ...recalled };
}

function giveBack(copy: number, site: string, id: string, returnId: string, tokens: number): Command {
  return command(
    `giveBack(${site}, ${id}, ${returnId}, ${tokens})`,
    copy,
    (pool) => pool.giveBack(site, id, { returnId, tokens }),
    (book) => {
      const { now, grants } = book;
      const entry = grants.get(id);
      if (entry === undefined) {
        grants.set(id, { site, lent: 0, refused: false, madeAt: now, expiresAt: now, recalled: false, returns: [] });
        return 0;
      }
      if (entry.site !== site) return 'unknown-grant';
      if (entry.lent === 0 || entry.expiresAt <= now) return 0;
      const before = entry.returns.find((done) => done.returnId === returnId);
      if (before !== undefined) return before.tokens === tokens ? entry.lent : 'conflict';
      if (now - entry.madeAt < terms.minimumHoldSeconds && !entry.recalled) return 'minimum-hold';
      if (tokens > entry.lent) return 'more-than-lent';
      if (tokens % terms.block !== 0) return 'whole-blocks';
      entry.returns = [...entry.returns.filter(({ at }) => at > now - 600), { returnId, tokens, at: now }];
      return (entry.lent -= tokens);
    },
  );
}

function renew(copy: number, site: string, id: string): Command {
  return command(
    `renew(${site}, ${id})`,
    copy,
    (pool) => pool.renew(site, id),
    ({ grants, now }) => {
      const entry = grants.get(id);
      if (entry?.asked === undefined || entry.site !== site) return 'unknown-grant';
      if (entry.lent === 0 || entry.expiresAt <= now) return 'not-lent';
      entry.expiresAt = now + terms.leaseSeconds;
      return terms.leaseSeconds;
    },
  );
}

function recall(copy: number, id: string): Command {
  return command(
    `recall(${id})`,
    copy,
    (pool) => pool.recall(id),
    (book) => {
      const entry = book.grants.get(id);
      if (entry?.asked === undefined) return 'unknown-grant';
      if (entry.lent === 0 || entry.expiresAt <= book.now) return 'not-lent';
      entry.recalled = true;
      return expect.objectContaining(stateOf(book, id));
    },
  );
}

function wait(seconds: number): Command {
  return {
    check: () => true,
    toString: () => `wait(${seconds})`,
    async run(book, { clock }) {
      clock.pass(seconds);
      book.now += seconds;
    },
  };
}

const copy = fc.nat(1);
const site = fc.constantFrom(...sites);
const id = fc.constantFrom('g-1', 'g-2', 'g-3', 'g-4', 'g-5', 'g-6');
const returnId = fc.constantFrom('r-1', 'r-2', 'r-3');
const tokens = fc.constantFrom(1, 4, 8, 9, 16, 40);

const commands = fc.commands(
  [
    fc.tuple(copy, site, id, tokens).map((args) => askFor(...args)),
    fc.tuple(copy, site, id, returnId, tokens).map((args) => giveBack(...args)),
    fc.tuple(copy, site, id).map((args) => renew(...args)),
    fc.tuple(copy, id).map((args) => recall(...args)),
    fc.constantFrom(1, 99, 100, 400, 700).map(wait),
  ],
  { size: '+1' },
);

describe('a pool, whatever is asked of it in whatever order', () => {
  it('answers by the book and never lends more than it has', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (run) => {
        await fc.asyncModelRun(() => {
          const clock = new HandClock();
          const options = { name: 'burst', offers: [anOffer(terms)], store: new MemoryPoolStore(), clock };
          const book: Book = { grants: new Map(), now: start / 1000 };
          return { model: book, real: { copies: [new Pool(options), new Pool(options)], clock } };
        }, run);
      }),
      { numRuns: 200 },
    );
  });
});
