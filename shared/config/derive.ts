import type { ElasticPolicy, SitePolicy } from '../domain/model.ts';
import type { PoolOffer } from '../pool/offer.ts';
import { parseDuration } from './duration.ts';
import type { SiteFile } from './schema.ts';

/** A resource that is counted and never borrowed for. */
export interface FixedResource {
  readonly resource: string;
  readonly total: number;
}

/** What the reference controller is started with. */
export interface ControllerConfig {
  readonly site: string;
  readonly backfill: boolean;
  readonly resources: readonly ControlledResource[];
}

export interface ControlledResource {
  readonly name: string;
  readonly owned: number;
  /** The highest total that the controller may ever be told. */
  readonly ceiling: number;
  readonly elastic: boolean;
}

export interface PoolConfig {
  readonly provider: string;
  /** Absent: a local run starts the pool itself. */
  readonly url?: string;
  readonly offers: readonly PoolOffer[];
}

/** Elastic resources alone, by name, so that the order in which they are written changes nothing. */
export function policyOf(file: SiteFile): SitePolicy {
  return { site: file.site, resources: sharedResources(file).flatMap(elasticPolicy) };
}

export function fixedResourcesOf(file: SiteFile): FixedResource[] {
  return sharedResources(file)
    .filter(([, { elastic }]) => elastic === undefined)
    .map(([resource, { total }]) => ({ resource, total }));
}

export function controllerConfigOf(file: SiteFile): ControllerConfig {
  return { site: file.site, backfill: file.cluster.backfill, resources: controlledResourcesOf(file) };
}

export function controlledResourcesOf(file: Pick<SiteFile, 'resources'>): ControlledResource[] {
  return sharedResources(file).map(([name, { total, elastic }]) => ({
    name,
    owned: total,
    ceiling: total + (elastic?.maxBorrowed ?? 0),
    elastic: elastic !== undefined,
  }));
}

export function poolsOf(file: SiteFile): PoolConfig[] {
  return file.providers.map(({ name, url, offers = {} }) => ({
    provider: name,
    ...(url === undefined ? {} : { url }),
    offers: poolOffersOf(offers),
  }));
}

export function poolOffersOf(offers: NonNullable<SiteFile['providers'][number]['offers']>): PoolOffer[] {
  return byName(offers).map(([resource, { minimumHold, lease, ...terms }]) => ({
    resource,
    ...terms,
    minimumHoldSeconds: parseDuration(minimumHold),
    ...(lease === undefined ? {} : { leaseSeconds: parseDuration(lease) }),
  }));
}

function elasticPolicy([resource, { total, elastic }]: Named<SiteFile['resources'][string]>): ElasticPolicy[] {
  if (elastic === undefined) return [];
  const { borrowAfter, returnAfter, linger, staleAfter, ...rules } = elastic;
  return [
    {
      resource,
      owned: total,
      ...rules,
      borrowAfterSeconds: parseDuration(borrowAfter),
      returnAfterSeconds: parseDuration(returnAfter),
      lingerSeconds: parseDuration(linger),
      staleAfterSeconds: parseDuration(staleAfter),
    },
  ];
}

/** A resource that is not shared is its hosts' own affair. */
function sharedResources(file: Pick<SiteFile, 'resources'>) {
  return byName(file.resources).filter(([, { shared }]) => shared);
}

type Named<Value> = readonly [name: string, value: Value];

function byName<Value>(values: Readonly<Record<string, Value>>): Named<Value>[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
