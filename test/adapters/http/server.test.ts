import { Hono } from 'hono';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { problem } from '../../../shared/contracts/common.ts';
import { HttpClient } from '../../../shared/adapters/http/client.ts';
import {
  authenticate,
  handleErrors,
  listen,
  logRefusals,
  notFound,
  parseJson,
  problemAnswer,
  RequestProblem,
  requireRole,
  type CallerEnv,
} from '../../../shared/adapters/http/server.ts';
import { CallVerifier, signCall } from '../../../shared/adapters/signing/call-token.ts';
import type { Log } from '../../../shared/ports.ts';
import { keyListOf, newParty, type Party } from '../signing/party.ts';

const refusal = z.object({ method: z.string(), path: z.string(), problem });
const order = z.object({ tokens: z.int().min(1), note: z.string().optional() });

let site: Party;
let provisioner: Party;
let refusals: string[];
let origin: string;

beforeEach(async () => {
  site = await newParty('site', 'munich');
  provisioner = await newParty('provisioner', 'munich');
  refusals = [];
  const verifier = new CallVerifier({ keys: await keyListOf(site, provisioner), audience: 'controller' });
  const app = new Hono<CallerEnv>();
  app.onError(handleErrors);
  app.notFound(notFound);
  const warn: Log['warn'] = (_, fields) => {
    const { method, path, problem: answer } = refusal.parse(fields);
    refusals.push(`${answer.type} ${method} ${path}`);
  };
  app.use('/v1/*', logRefusals({ info: () => {}, alarm: () => {}, warn }), authenticate(verifier));
  app.get('/v1/caller', (c) => c.json(c.get('caller')));
  app.put('/v1/total', requireRole('provisioner'), (c) => c.json({ set: true }));
  app.post('/v1/order', async (c) => c.json(await parseJson(c, order)));
  app.post('/v1/length', async (c) => c.json((await c.req.text()).length));
  app.get('/v1/stale', (c) => problemAnswer(c, 409, 'stale', 'Stale', undefined, { epoch: 3 }));
  app.get('/v1/held', () => {
    throw new RequestProblem(409, 'held', 'Held', 'Wait for it.', { holder: 'other' });
  });
  app.get('/v1/broken/*', () => {
    throw new Error('password of the database');
  });
  const server = await listen(app, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  origin = server.url;
});

async function call(method: string, path: string, json?: unknown, party = site) {
  const client = new HttpClient({ key: party.key, subject: party.subject, audience: 'controller' });
  return client.request({ method, url: origin + path, json });
}

/** A signed call with exactly this body, sent without the client's help. */
async function send(path: string, body: string | ReadableStream, signedBody: string): Promise<Response> {
  const { key, subject } = site;
  const url = origin + path;
  const token = await signCall({ key, subject, audience: 'controller', method: 'POST', url, body: signedBody });
  return fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body, duplex: 'half' });
}

describe('authenticate', () => {
  it('tells handlers who calls', async () => {
    expect(await call('GET', '/v1/caller')).toEqual({
      status: 200,
      body: { role: 'site', subject: 'munich', kid: site.key.kid },
    });
  });

  it('answers 401 with a problem document to a call without a token, and reports it', async () => {
    const response = await fetch(`${origin}/v1/caller`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const detail = 'Checking who calls: there is no call token; send it as "authorization: Bearer"';
    expect(problem.parse(await response.json())).toMatchObject({ type: 'missing', status: 401, detail });
    expect(refusals).toEqual(['missing GET /v1/caller']);
  });

  it('answers 401 to an unlisted key, a changed body and a replayed token', async () => {
    const stranger = await newParty('provisioner', 'munich');
    expect(await call('GET', '/v1/caller', undefined, stranger)).toMatchObject({
      status: 401,
      body: { type: 'unknown-key' },
    });
    expect((await send('/v1/order', '{"tokens":9}', '{"tokens":1}')).status).toBe(401);

    const { key, subject } = site;
    const url = `${origin}/v1/caller`;
    const token = await signCall({ key, subject, audience: 'controller', method: 'GET', url });
    const again = () => fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect([(await again()).status, (await again()).status]).toEqual([200, 401]);
    expect(refusals).toEqual(['unknown-key GET /v1/caller', 'body POST /v1/order', 'replayed GET /v1/caller']);
  });

  it('takes the token from esr-authorization where a platform has authorization for itself', async () => {
    const { key, subject } = site;
    const url = `${origin}/v1/caller`;
    const token = await signCall({ key, subject, audience: 'controller', method: 'GET', url });
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x', 'esr-authorization': `Bearer ${token}` };
    expect((await fetch(url, { headers })).status).toBe(200);
  });

  it('leaves the body readable for handlers, sent at once or in chunks', async () => {
    const body = '{"tokens":4}';
    expect(await (await send('/v1/order', body, body)).json()).toEqual({ tokens: 4 });
    expect(await (await send('/v1/order', new Blob([body]).stream(), body)).json()).toEqual({ tokens: 4 });
  });

  it('takes 1 MiB and answers 413 to more, sent at once or in chunks', async () => {
    const full = ' '.repeat(1024 * 1024);
    const more = `${full} `;
    expect(await (await send('/v1/length', full, full)).json()).toBe(full.length);
    expect((await send('/v1/length', more, more)).status).toBe(413);
    expect((await send('/v1/length', new Blob([more]).stream(), more)).status).toBe(413);
  });
});

describe('requireRole', () => {
  it('answers 403 to a proven caller of another role, and names the role that it takes', async () => {
    expect((await call('PUT', '/v1/total', {}, provisioner)).status).toBe(200);
    const { status, body } = await call('PUT', '/v1/total', {}, site);
    expect(status).toBe(403);
    expect(problem.parse(body)).toMatchObject({ type: 'wrong-role', detail: expect.stringContaining('provisioner') });
  });
});

describe('problem documents', () => {
  it('carry what a type of problem has beside', async () => {
    expect((await call('GET', '/v1/stale')).body).toEqual({ type: 'stale', title: 'Stale', status: 409, epoch: 3 });
  });

  it('are what a thrown RequestProblem becomes', async () => {
    expect(await call('GET', '/v1/held')).toEqual({
      status: 409,
      body: { type: 'held', title: 'Held', status: 409, detail: 'Wait for it.', holder: 'other' },
    });
  });

  it('answer an unknown path', async () => {
    expect(await call('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { type: 'not-found' } });
  });

  it("keep an unexpected error's text in the server's own log", async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const { status, body } = await call('GET', '/v1/broken/x');
    expect(status).toBe(500);
    expect(problem.parse(body).type).toBe('internal');
    expect(JSON.stringify(body)).not.toContain('password');
    expect(log).toHaveBeenCalledWith('answering GET /v1/broken/x:', new Error('password of the database'));
  });

  it("keep a path's line ends out of it", async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => log.mockRestore());
    await call('GET', '/v1/broken/x%0Aforged%E2%80%AE');
    expect(log).toHaveBeenCalledWith(String.raw`answering GET /v1/broken/x\u{a}forged\u{202e}:`, expect.any(Error));
  });
});

describe('parseJson', () => {
  it('answers 400 naming each fault with its path', async () => {
    const { status, body } = await call('POST', '/v1/order', { tokens: 0, note: 5 });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'invalid',
      faults: [expect.stringMatching(/^tokens: .*, found 0$/), expect.stringMatching(/^note: .*, found 5$/)],
    });
  });

  it('answers 400 to what is no JSON', async () => {
    for (const body of ['', '{', '\0']) {
      const response = await send('/v1/order', body, body);
      expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ type: 'malformed' })]);
    }
  });

  it('takes "__proto__" as an unknown member, not as a prototype', async () => {
    const body = '{"tokens":4,"__proto__":{"note":"polluted"}}';
    expect(await (await send('/v1/order', body, body)).json()).toEqual({ tokens: 4 });
    expect({}).not.toHaveProperty('note');
  });
});
