import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  AnswerInvalid,
  HttpClient,
  HttpError,
  validate,
  type PlatformSigner,
} from '../../../shared/adapters/http/client.ts';
import { listen } from '../../../shared/adapters/http/server.ts';
import { CallVerifier } from '../../../shared/adapters/signing/call-token.ts';
import { keyListOf, newParty, type Party } from '../signing/party.ts';
import { rawServer } from './raw-server.ts';

let party: Party;

beforeAll(async () => {
  party = await newParty('site', 'munich');
});

function newClient(limits: { timeoutMilliseconds?: number } = {}): HttpClient {
  return new HttpClient({ key: party.key, subject: party.subject, audience: 'controller', ...limits });
}

async function failureOf(url: string, client = newClient()): Promise<HttpError> {
  const outcome = await client.request({ method: 'GET', url }).catch((error: unknown) => error);
  if (!(outcome instanceof HttpError)) throw new Error(`expected an HttpError, got ${JSON.stringify(outcome)}`);
  expect(outcome.url).toBe(url);
  expect(outcome.message).toContain(`calling GET ${url}: `);
  return outcome;
}

/** Sends as fast as the receiver takes it, until `megabytes` are sent or the receiver is gone. Returns what was sent. */
async function stream(response: ServerResponse, megabytes: number): Promise<number> {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  const gone = once(response, 'close');
  response.writeHead(200, { 'content-type': 'application/json' });
  let sent = 0;
  while (sent < megabytes && !response.closed) {
    sent += 1;
    if (!response.write(megabyte)) await Promise.race([once(response, 'drain'), gone]);
  }
  response.end();
  return sent;
}

describe('a call', () => {
  it('is signed over method, URL with query, and body, and its JSON answer is read', async () => {
    const verifier = new CallVerifier({ keys: await keyListOf(party), audience: 'controller' });
    let url = '';
    const origin = await rawServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const caller = await verifier.verify(token, { method: request.method ?? '', url, body });
      response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' });
      response.end(
        JSON.stringify({ subject: caller.subject, type: request.headers['content-type'], body: body.toString() }),
      );
    });
    url = `${origin}/v1/grants?site=munich`;
    const client = newClient();

    expect(await client.request({ method: 'PUT', url, json: { tokens: 4 } })).toEqual({
      status: 201,
      body: { subject: 'munich', type: 'application/json', body: '{"tokens":4}' },
    });
    const raw = { contentType: 'application/jose', body: 'a.b.c' };
    expect((await client.request({ method: 'PUT', url, raw })).body).toEqual({
      subject: 'munich',
      type: 'application/jose',
      body: 'a.b.c',
    });
    expect((await client.request({ method: 'GET', url })).body).toEqual({ subject: 'munich', body: '' });
  });

  it('returns a problem document as it returns any other answer', async () => {
    const url = await rawServer((_, response) => {
      response.writeHead(409, { 'content-type': 'application/problem+json' });
      response.end('{"type":"stale","epoch":3}');
    });
    expect(await newClient().request({ method: 'GET', url })).toEqual({
      status: 409,
      body: { type: 'stale', epoch: 3 },
    });
  });

  it('may have an empty answer', async () => {
    const url = await rawServer((_, response) => response.writeHead(204).end());
    expect(await newClient().request({ method: 'GET', url })).toEqual({ status: 204, body: undefined });
  });

  it('uses the connection of the call before', async () => {
    const ports = new Set<number | undefined>();
    const url = await rawServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    for (let call = 0; call < 5; call += 1) await newClient().request({ method: 'GET', url });
    expect(ports.size).toBe(1);
  });

  it('takes an answer with "__proto__" as data that changes no object', async () => {
    const url = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"__proto__":{"polluted":true}}');
    });
    const { body } = await newClient().request({ method: 'GET', url });
    expect(Object.hasOwn(Object(body), '__proto__')).toBe(true);
    expect(body).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a call fails', () => {
  it('as unreachable when nobody listens, and says why', async () => {
    const server = await listen(new Hono(), 0, '127.0.0.1');
    await server.close();
    const error = await failureOf(server.url);
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('as unreachable when the connection breaks within the answer', async () => {
    const url = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{', () => response.destroy());
    });
    expect((await failureOf(url)).kind).toBe('unreachable');
  });

  it('as timeout when no answer comes', async () => {
    const url = await rawServer(() => undefined);
    const error = await failureOf(url, newClient({ timeoutMilliseconds: 50 }));
    expect(error.kind).toBe('timeout');
    expect(error.message).toContain('50 ms');
  });

  it('as timeout when an answer begins in time and never ends', async () => {
    const url = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect((await failureOf(url, newClient({ timeoutMilliseconds: 100 }))).kind).toBe('timeout');
  });

  it('as too large when an answer goes on for ever, and hangs up', async () => {
    let sent = Promise.resolve(0);
    const url = await rawServer((_, response) => {
      sent = stream(response, Infinity);
    });
    expect((await failureOf(url)).kind).toBe('too-large');
    expect(await sent).toBeGreaterThanOrEqual(16);
  });

  it('as too large at the cap, long before all of a 100 MB answer is sent', async () => {
    let sent = Promise.resolve(0);
    const url = await rawServer((_, response) => {
      sent = stream(response, 100);
    });
    const error = await failureOf(url);
    expect(error.kind).toBe('too-large');
    expect(error.message).toContain('16777216 bytes');
    expect(await sent).toBeLessThan(100);
  });

  it('as too large when a small answer decompresses into a large one', async () => {
    const url = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(20 * 1024 * 1024, ' ')));
    });
    expect((await failureOf(url)).kind).toBe('too-large');
  });

  it('as redirect, and nobody else sees the call', async () => {
    const visits: string[] = [];
    const elsewhere = await rawServer((request, response) => {
      visits.push(String(request.headers.authorization));
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await rawServer((_, response) => response.writeHead(status, { location: elsewhere }).end('moved'));
      expect((await failureOf(url)).kind).toBe('redirect');
    }
    expect(visits).toEqual([]);
  });

  it('as not JSON when a web page answers, and names status and type', async () => {
    const url = await rawServer((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    });
    const error = await failureOf(url);
    expect(error.kind).toBe('not-json');
    expect(error.message).toContain('502 with text/html');
  });

  it('as not JSON when the answer is garbage under a JSON type, or has no type', async () => {
    const garbage = [Buffer.from('{"a":'), Buffer.from([0x22, 0xff, 0x22]), Buffer.alloc(1000)];
    for (const body of garbage) {
      const url = await rawServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      expect((await failureOf(url)).kind).toBe('not-json');
    }
    expect((await failureOf(await rawServer((_, response) => response.end('{}')))).kind).toBe('not-json');
  });
});

describe('validating an answer', () => {
  const schema = z.object({ resources: z.array(z.object({ inUse: z.int().min(0) })) });

  it('returns what the contract knows of it', () => {
    const body = { resources: [{ inUse: 1, more: true }] };
    expect(validate(schema, body, 'the demand')).toEqual({ resources: [{ inUse: 1 }] });
  });

  it('names what was read, and each fault with its path', () => {
    const body = { resources: [{ inUse: 1 }, { inUse: -5 }, {}] };
    const read = () => validate(schema, body, 'the demand');
    expect(read).toThrow(AnswerInvalid);
    expect(read).toThrow(
      /^reading the demand: .*resources\[1\]\.inUse: .*, found -5; resources\[2\]\.inUse: .*nothing$/,
    );
  });
});

describe('a call through a platform that needs the authorization for itself', () => {
  it('carries its token in a header beside it, and what the platform asks for', async () => {
    let headers: IncomingHttpHeaders = {};
    const url = await rawServer((request, response) => {
      headers = request.headers;
      response.writeHead(204).end();
    });
    const platform: PlatformSigner = {
      sign: async (_url, call) => new Headers({ ...call.headers, authorization: `Platform ${call.body?.length}` }),
    };
    const client = new HttpClient({ key: party.key, subject: 'munich', audience: 'controller', platform });
    await client.request({ method: 'PUT', url, json: [1] });
    expect(headers).toMatchObject({ authorization: 'Platform 3', 'content-type': 'application/json' });
    expect(headers['esr-authorization']).toMatch(/^Bearer \S+$/);
  });
});

describe('a call that its caller ends', () => {
  it('throws the reason, whether it is under way or not yet sent', async () => {
    let calls = 0;
    const stop = new AbortController();
    const reason = new Error('stopping');
    const url = await rawServer(() => {
      calls += 1;
      stop.abort(reason);
    });
    const call = () => newClient().request({ method: 'GET', url, signal: stop.signal });
    await expect(call()).rejects.toBe(reason);
    await expect(call()).rejects.toBe(reason);
    expect(calls).toBe(1);
  });
});
