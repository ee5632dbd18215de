import { Hono } from 'hono';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient, HttpError } from '../../../shared/adapters/http/client.ts';
import { authenticate, listen, type CallerEnv } from '../../../shared/adapters/http/server.ts';
import { IamSigner, type Credentials } from '../../../shared/adapters/provider/iam-signer.ts';
import { CallVerifier } from '../../../shared/adapters/signing/call-token.ts';
import { keyListOf, newParty, type Party } from '../signing/party.ts';
import { iamGateway } from './iam-gateway.ts';

const region = 'eu-central-1';
const session: Credentials = { accessKeyId: 'ASIAAUSTIN', secretAccessKey: 'aus/tin', sessionToken: 'se+ss/ion==' };

let austin: Party;

beforeAll(async () => {
  austin = await newParty('site', 'austin');
});

/** A server behind IAM that says what it was asked, and by whom. */
async function guarded(known: readonly Credentials[]): Promise<string> {
  const app = new Hono<CallerEnv>();
  const verifier = new CallVerifier({ keys: await keyListOf(austin), audience: 'burst' });
  app.use(
    iamGateway(region, () => known),
    authenticate(verifier),
  );
  app.all('*', async (c) => c.json({ caller: c.get('caller').subject, body: await c.req.text() }));
  const server = await listen(app, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return server.url;
}

function callerWith(obtain: () => Promise<Credentials>, at = region): HttpClient {
  const platform = new IamSigner({ region: at, obtain });
  return new HttpClient({ key: austin.key, subject: 'austin', audience: 'burst', platform });
}

describe('a call to an API that IAM guards', () => {
  it.each([
    ['GET', '/v1/grants?site=austin', undefined],
    ['GET', '/v1/grants?b=2&a=x%20y&a=%2F', undefined],
    ['PUT', '/v1/grants/austin-vcs_runtime@flex1-1-1', { tokens: 8, note: 'ü' }],
    ['POST', '/v1/grants/a:b+c/return', { returnId: 'r' }],
  ])('is let through, and proves the site besides: %s %s', async (method, path, json) => {
    const url = `${await guarded([session])}${path}`;
    expect(await callerWith(async () => session).request({ method, url, json })).toEqual({
      status: 200,
      body: { caller: 'austin', body: json === undefined ? '' : JSON.stringify(json) },
    });
  });

  it('may be made with credentials of no session', async () => {
    const lasting = { accessKeyId: 'AKIAAUSTIN', secretAccessKey: 'austin' };
    const url = await guarded([lasting]);
    expect(await callerWith(async () => lasting).request({ method: 'GET', url })).toMatchObject({ status: 200 });
  });

  it.each<[string, Credentials, string]>([
    ['of nobody', { ...session, accessKeyId: 'ASIAOTHER' }, region],
    ['with another secret', { ...session, secretAccessKey: 'other' }, region],
    ['of another session', { ...session, sessionToken: 'other' }, region],
    ['for another region', session, 'us-east-1'],
  ])('is refused with credentials %s', async (_, credentials, at) => {
    const url = await guarded([session]);
    expect(await callerWith(async () => credentials, at).request({ method: 'GET', url })).toMatchObject({
      status: 403,
    });
  });

  it('is not sent without credentials, and says what to mend', async () => {
    const client = callerWith(async () => {
      throw new Error('not authorized to perform: sts:AssumeRole');
    });
    const call = client.request({ method: 'GET', url: 'http://127.0.0.1:9/v1/describe' });
    await expect(call).rejects.toThrow(HttpError);
    await expect(call).rejects.toMatchObject({ kind: 'no-credentials' });
    await expect(call).rejects.toThrow(/sts:AssumeRole.*check the role.*external id/);
  });
});

describe('credentials', () => {
  const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);

  /** How often new ones are obtained for calls made one after another, each with a new end of its credentials. */
  async function obtainedFor(ends: readonly Date[], callsAtOnce = 1): Promise<number> {
    let obtained = 0;
    const signer = new IamSigner({
      region,
      obtain: async () => ({ ...session, expiration: ends[obtained++] ?? minutes(60) }),
    });
    const sign = () => signer.sign('https://pool.example.com/v1/describe', { method: 'GET', headers: {} });
    for (const _ of ends) await Promise.all(Array.from({ length: callsAtOnce }, sign));
    return obtained;
  }

  it('are used until shortly before they end', async () => {
    expect(await obtainedFor([minutes(60), minutes(60), minutes(60)])).toBe(1);
  });

  it('that are about to end are replaced', async () => {
    expect(await obtainedFor([minutes(4), minutes(-1), minutes(60)])).toBe(3);
  });

  it('are obtained once for calls that are made at the same time', async () => {
    expect(await obtainedFor([minutes(4), minutes(60), minutes(60)], 8)).toBe(2);
  });

  it('are asked for again after a failure', async () => {
    let asked = 0;
    const signer = new IamSigner({
      region,
      obtain: async () => {
        asked += 1;
        if (asked === 1) throw new Error('STS is away');
        return session;
      },
    });
    const sign = () => signer.sign('https://pool.example.com/v1/describe', { method: 'GET', headers: {} });
    await expect(sign()).rejects.toThrow('STS is away');
    expect((await sign()).get('authorization')).toContain('ASIAAUSTIN');
  });
});
