/**
 * One shelf per resource: who has how much of it now. A shelf is one item in the store, so that a grant and the free
 * tokens that it takes change together. All of this is plain data that survives JSON unchanged.
 */
import type { GrantTerms, Instant, Tokens } from '../domain/model.ts';

/** Open grants of one resource: with ids of usual length such a shelf, compressed, is far below the table's 400 KB. */
export const maxOpenGrants = 2_000;
/** How long a closed grant stays on the shelf. The list shows it, and calls that arrive late find it there. */
export const recentSeconds = 600;
export const maxRecentGrants = 200;

export interface Shelf {
  readonly resource: string;
  /** Grows by one with every write; 0 before the first. */
  readonly version: number;
  /** Oldest first. */
  readonly open: readonly OpenGrant[];
  /** Refused and ended lately, in that order. A grant that leaves here becomes a record first. */
  readonly recent: readonly ClosedGrant[];
}

/** What a site asked for under an id. */
interface Asked {
  readonly id: string;
  readonly site: string;
  readonly resource: string;
  readonly asked: Tokens;
}

export interface OpenGrant extends Asked {
  readonly state: 'open';
  /** Still lent. */
  readonly tokens: Tokens;
  readonly madeAt: Instant;
  /** Those of the offer when the grant was made; a later offer changes nothing here. */
  readonly terms: GrantTerms;
  readonly expiresAt?: Instant;
  /** The operator wants the tokens back, by that time where one is named. */
  readonly recall?: { readonly by?: Instant };
  /** Returns of parts, oldest first: the newest, and those young enough to be sent again by mistake. */
  readonly returns: readonly PartReturn[];
}

export interface PartReturn {
  readonly returnId: string;
  readonly tokens: Tokens;
  readonly at: Instant;
}

/**
 * What stands under an id beside the shelf. Where the shelf has the grant, open or recent, the shelf is right; where it
 * has not, this is.
 */
export type GrantRecord = ClaimedGrant | ClosedGrant | BarredGrant;

/** Asked for. It says on which shelf to look; a shelf that has no such grant has lent nothing under this id yet. */
export interface ClaimedGrant extends Asked {
  readonly state: 'claimed';
}

export type ClosedGrant = RefusedGrant | EndedGrant;

export interface RefusedGrant extends Asked {
  readonly state: 'refused';
  readonly at: Instant;
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

/** Nothing is lent under this id any more, and nothing will be. */
export interface EndedGrant extends Asked {
  readonly state: 'ended';
  readonly at: Instant;
}

/** Given back before it was asked for: a request that is still on its way gets nothing. */
export interface BarredGrant {
  readonly state: 'barred';
  readonly id: string;
  readonly site: string;
  readonly at: Instant;
}

export function emptyShelf(resource: string): Shelf {
  return { resource, version: 0, open: [], recent: [] };
}

export function findGrant(shelf: Shelf, id: string): OpenGrant | ClosedGrant | undefined {
  return shelf.open.find((grant) => grant.id === id) ?? shelf.recent.find((grant) => grant.id === id);
}

export function lentTokens(grants: readonly OpenGrant[]): Tokens {
  return grants.reduce((sum, grant) => sum + grant.tokens, 0);
}
