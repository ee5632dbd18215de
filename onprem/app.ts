/** The controller contract over HTTP, for the reference controller as for any other that offers the same methods. */
import { Hono } from 'hono';
import * as z from 'zod';
import { toSharedResources } from '../shared/adapters/controller/messages.ts';
import {
  authenticate,
  logRefusals,
  notFound,
  parseJson,
  requireOwnSite,
  requireRole,
  RequestProblem,
  type CallerEnv,
} from '../shared/adapters/http/server.ts';
import { CallVerifier } from '../shared/adapters/signing/call-token.ts';
import type { KeyList } from '../shared/adapters/signing/keys.ts';
import { identifier } from '../shared/contracts/common.ts';
import { leaseRequest, observedReport, observeQuery } from '../shared/contracts/controller.ts';
import type { Instant, Observation } from '../shared/domain/model.ts';
import type { Clock, Log, TotalUpdate } from '../shared/ports.ts';
import { handleControllerErrors } from './app-errors.ts';
import type { TotalAnswer } from './cluster-controller.ts';
import type { LeaseAnswer } from './record.ts';
import type { ObservedCount } from './state.ts';
import { readTotalDocument } from './total-document.ts';

type Awaitable<T> = T | Promise<T>;

/** What stands behind the contract. A change is durable when its method has answered. */
export interface ControllerBackend {
  /** Grows with each start. */
  readonly epoch: number;
  observe(peakWindowSeconds: number, now: Instant): Awaitable<Observation>;
  /** Throws `UnknownResourceError`, `NotElasticError`. */
  setTotal(update: TotalUpdate, now: Instant): Awaitable<TotalAnswer>;
  acquireLease(name: string, holder: string, ttlSeconds: number, now: Instant): Awaitable<LeaseAnswer>;
  /** Throws `UnknownResourceError`. */
  reportObserved(resource: string, count: ObservedCount, now: Instant): Awaitable<void>;
}

export interface ControllerAppOptions {
  readonly controller: ControllerBackend;
  readonly site: string;
  /** Asked at every call, so that a changed key list takes effect without a restart. */
  readonly keys: () => KeyList;
  readonly clock: Clock;
  readonly log: Log;
  /** What whoever watches the process is told; left out, that it runs. */
  readonly health?: () => { readonly healthy: boolean; readonly detail: string };
}

export function controllerApp({ controller, site, keys, clock, log, health }: ControllerAppOptions): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>();
  app.onError(handleControllerErrors(log));
  app.notFound(notFound);
  app.get('/health', (c) => {
    const { healthy, detail } = health?.() ?? { healthy: true, detail: 'running' };
    return c.json({ status: healthy ? 'ok' : 'failing', detail }, healthy ? 200 : 503);
  });
  const verifier = new CallVerifier({ keys, audience: site });
  app.use('/v1/*', logRefusals(log), authenticate(verifier), requireOwnSite(site));

  app.get('/v1/shared-resources', requireRole('site', 'provisioner', 'operator'), async (c) => {
    const query = observeQuery.safeParse(c.req.query());
    if (!query.success) {
      throw new RequestProblem(400, 'invalid', 'Invalid query', `Mend the query: ${z.prettifyError(query.error)}`);
    }
    const observation = await controller.observe(query.data.peakWindowSeconds, clock.now());
    return c.json(toSharedResources(site, controller.epoch, observation));
  });

  app.put('/v1/shared-resources/:name/total', requireRole('provisioner'), async (c) => {
    const name = c.req.param('name');
    const update = await readTotalDocument(c, { site, resource: name, keys: keys() });
    const answer = await controller.setTotal(update, clock.now());
    const { epoch, sequence } = update;
    log.info(`${name}: total ${update.total} was ${answer.outcome}`, { resource: name, epoch, sequence, answer });
    if (answer.outcome === 'applied') {
      return c.json({ name, total: answer.total, inUse: answer.inUse, epoch, sequence });
    }
    if (answer.outcome === 'below-in-use') {
      const { inUse } = answer;
      const detail = `${inUse} tokens of ${name} are in use; set a total of at least that.`;
      throw new RequestProblem(409, 'below-in-use', 'Total below in use', detail, { inUse });
    }
    const newest = { epoch: answer.epoch, sequence: answer.sequence };
    const detail = `Epoch ${newest.epoch}, sequence ${newest.sequence} is known already; send a newer one.`;
    throw new RequestProblem(409, 'stale', 'Total update is stale', detail, newest);
  });

  app.put('/v1/shared-resources/:name/observed', requireRole('reporter'), async (c) => {
    const { inUse, issued, at } = await parseJson(c, observedReport);
    await controller.reportObserved(c.req.param('name'), { inUse, issued, at: Date.parse(at) }, clock.now());
    return c.body(null, 204);
  });

  app.put('/v1/provider-leases/:name', requireRole('site', 'provisioner'), async (c) => {
    const name = identifier.safeParse(c.req.param('name'));
    if (!name.success) throw new RequestProblem(400, 'invalid', 'Invalid name', z.prettifyError(name.error));
    const { holder, ttlSeconds } = await parseJson(c, leaseRequest);
    const answer = await controller.acquireLease(name.data, holder, ttlSeconds, clock.now());
    if (answer.held) return c.json({ epoch: answer.epoch, expiresInSeconds: answer.expiresInSeconds });
    const detail = `${answer.holder} holds the lease ${name.data}; ask again when it has expired.`;
    throw new RequestProblem(409, 'held', 'Lease is held', detail, { holder: answer.holder });
  });

  return app;
}
