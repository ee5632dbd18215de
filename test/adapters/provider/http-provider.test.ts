import { beforeAll, describe, expect, it } from 'vitest';
import { HttpClient } from '../../../shared/adapters/http/client.ts';
import { HttpProvider } from '../../../shared/adapters/provider/http-provider.ts';
import { ProviderError } from '../../../shared/adapters/provider/provider-error.ts';
import { rawServer } from '../http/raw-server.ts';
import { newParty, type Party } from '../signing/party.ts';

let munich: Party;

beforeAll(async () => {
  munich = await newParty('site', 'munich');
});

function providerAt(url: string, timeoutMilliseconds = 5_000): HttpProvider {
  const client = new HttpClient({ key: munich.key, subject: 'munich', audience: 'burst', timeoutMilliseconds });
  return new HttpProvider({ name: 'burst', client, url, site: 'munich' });
}

/** A provider whose other side gives one and the same answer to everything. */
async function answered(status: number, body: unknown, contentType = 'application/json'): Promise<HttpProvider> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return providerAt(
    await rawServer((_, response) => response.writeHead(status, { 'content-type': contentType }).end(text)),
  );
}

async function problem(status: number, more: object = {}): Promise<HttpProvider> {
  return answered(
    status,
    { type: 'x', title: 'No', status, detail: 'not this way', ...more },
    'application/problem+json',
  );
}

const terms = { block: 8, minimumHoldSeconds: 60, partialReturns: true, costPerTokenHour: 2 };
const granted = {
  id: 'g-1',
  state: 'granted',
  site: 'munich',
  resource: 'hfsshpc',
  tokens: 16,
  ageSeconds: 0,
  terms,
  revision: 'v1',
};

const request = (provider: HttpProvider) => provider.request('g-1', 'hfsshpc', 16);
const changes: [string, (provider: HttpProvider) => Promise<object>][] = [
  ['request', request],
  ['giveBack', (provider) => provider.giveBack('g-1', 'r-1', 16)],
  ['renew', (provider) => provider.renew('g-1')],
];
const questions: [string, (provider: HttpProvider) => Promise<object>][] = [
  ['describe', (provider) => provider.describe()],
  ['list', (provider) => provider.list()],
];

describe('where the provider is', () => {
  it.each(['', '/', '/pool', '/pool/'])('may be any path: "%s"', async (path) => {
    const asked: (string | undefined)[] = [];
    const url = await rawServer((incoming, response) => {
      asked.push(incoming.url);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(granted));
    });
    expect(await request(providerAt(url + path))).toMatchObject({ outcome: 'granted' });
    expect(asked).toEqual([`${path.replace(/\/$/, '')}/v1/grants/g-1`]);
  });
});

describe('an answer to a request', () => {
  it('is read without what a later version of the contract may add', async () => {
    const provider = await answered(200, { ...granted, terms: { ...terms, colour: 'blue' }, since: '2026-01-05' });
    expect(await request(provider)).toEqual({ outcome: 'granted', tokens: 16, terms, revision: 'v1' });
  });

  it('may be that the provider has not decided yet', async () => {
    const { revision: _later, ...pending } = { ...granted, state: 'pending' };
    expect(await request(await answered(200, pending))).toEqual({ outcome: 'pending' });
  });

  it.each<[string, object, string]>([
    ['more tokens than asked for', { ...granted, tokens: 17 }, 'granted 17, more than the 16'],
    ['the grant of another id', { ...granted, id: 'g-2' }, 'answered for grant g-2'],
    ['the grant of another site', { ...granted, site: 'austin' }, 'for austin'],
    ['a grant of another resource', { ...granted, resource: 'vcs' }, 'of vcs'],
    [
      'another id as refused',
      { id: 'g-2', state: 'refused', site: 'munich', resource: 'hfsshpc', reason: 'no' },
      'g-2',
    ],
    ['no tokens', { ...granted, tokens: 0 }, 'tokens'],
    ['tokens that are no number', { ...granted, tokens: '16' }, 'tokens'],
    ['no terms', { ...granted, terms: undefined }, 'terms'],
    ['a block of nothing', { ...granted, terms: { ...terms, block: 0 } }, 'terms.block'],
    ['a state that does not exist', { ...granted, state: 'perhaps' }, 'state'],
    ['nothing at all', {}, 'state'],
    ['a list', [granted], 'the answer to PUT /v1/grants/g-1'],
  ])('that holds %s is no answer', async (_, body, detail) => {
    const outcome = await request(await answered(200, body));
    expect(outcome).toEqual({ outcome: 'unknown', detail: expect.stringContaining(detail) });
  });
});

describe('an answer to a return or a renewal', () => {
  it.each<[string, object]>([
    ['of another grant', { id: 'g-2', returnId: 'r-1', tokens: 0 }],
    ['of another return', { id: 'g-1', returnId: 'r-2', tokens: 0 }],
    ['with tokens below zero', { id: 'g-1', returnId: 'r-1', tokens: -8 }],
  ])('%s is no answer', async (_, body) => {
    expect(await (await answered(200, body)).giveBack('g-1', 'r-1', 16)).toMatchObject({ outcome: 'unknown' });
  });

  it.each<[string, object]>([
    ['of another grant', { id: 'g-2', leaseSeconds: 600 }],
    ['with a lease below zero', { id: 'g-1', leaseSeconds: -1 }],
    ['with a date for a duration', { id: 'g-1', leaseSeconds: '2026-01-05T08:00:00Z' }],
  ])('for a renewal %s is no answer', async (_, body) => {
    expect(await (await answered(200, body)).renew('g-1')).toMatchObject({ outcome: 'unknown' });
  });
});

describe.each(changes)('%s', (_, change) => {
  it.each([400, 404, 409, 410, 422])('is refused by a clear %i', async (status) => {
    const outcome = await change(await problem(status, { retryAfterSeconds: 30 }));
    expect(outcome).toEqual({ outcome: 'refused', detail: 'not this way', retryAfterSeconds: 30 });
  });

  it('has its reason made visible, as it goes into logs and history', async () => {
    const refused = await change(await problem(409, { detail: 'no\n\u202Emore' }));
    expect(refused).toMatchObject({ outcome: 'refused', detail: String.raw`no\u{a}\u{202e}more` });
    const unknown = await change(await problem(503, { detail: '\u001B[2J' }));
    expect(unknown).toMatchObject({ outcome: 'unknown', detail: String.raw`answered 503: \u{1b}[2J` });
  });

  it.each([401, 403, 408, 429, 500, 502, 503])(
    'is unknown after %i, which says nothing of the grant',
    async (status) => {
      expect(await change(await problem(status))).toEqual({
        outcome: 'unknown',
        detail: `answered ${status}: not this way`,
      });
    },
  );

  it.each<[string, number, unknown, string]>([
    ['a refusal in words alone', 409, { error: 'busy' }, 'application/json'],
    ['the page of a proxy', 404, '<html>Not found</html>', 'text/html'],
    ['a page that claims success', 200, '<html>Sign in</html>', 'text/html'],
    ['half an answer', 200, '{"id":"g-1","sta', 'application/json'],
    ['an empty answer', 200, '', 'application/json'],
    ['success without its meaning', 204, '', 'application/json'],
    ['a redirect', 302, '', 'application/json'],
  ])('is unknown after %s', async (_, status, body, contentType) => {
    const outcome = await change(await answered(status, body, contentType));
    expect(outcome).toEqual({ outcome: 'unknown', detail: expect.any(String) });
  });

  it('is unknown when the answer does not come in time', async () => {
    const provider = providerAt(await rawServer(() => undefined), 50);
    expect(await change(provider)).toMatchObject({ outcome: 'unknown', detail: expect.stringContaining('50 ms') });
  });

  it('is unknown when the connection breaks', async () => {
    const provider = providerAt(await rawServer((incoming) => incoming.destroy()));
    expect(await change(provider)).toMatchObject({ outcome: 'unknown' });
  });

  it('is unknown when nobody is there', async () => {
    expect(await change(providerAt('http://127.0.0.1:1'))).toMatchObject({ outcome: 'unknown' });
  });
});

describe.each(questions)('%s', (_, question) => {
  it.each<[string, () => Promise<HttpProvider>, string]>([
    ['refuses', () => problem(403), 'not this way'],
    ['fails', () => problem(500), 'answered 500'],
    ['says something else', () => answered(200, { hello: 'world' }), 'breaks the contract'],
    ['is not there', async () => providerAt('http://127.0.0.1:1'), 'no answer'],
  ])('throws a ProviderError when the provider %s', async (_, open, fault) => {
    const error = await question(await open()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ provider: 'burst', message: expect.stringContaining(fault) });
  });
});

describe('what is told of others', () => {
  it.each<[string, object, string]>([
    ['a list for another site', { site: 'austin', grants: [] }, 'it answered for austin'],
    [
      'a list with a grant of another site',
      { site: 'munich', grants: [granted, { ...granted, site: 'kyoto' }] },
      'for kyoto',
    ],
  ])('is not believed: %s', async (_, body, fault) => {
    await expect((await answered(200, body)).list()).rejects.toThrow(fault);
  });

  it('is not believed: the description of another provider', async () => {
    const provider = await answered(200, { name: 'vendor', revision: 'v1', offers: [] });
    await expect(provider.describe()).rejects.toThrow('vendor answered');
  });

  it('is listed while it is pending', async () => {
    const pending = {
      id: 'g-1',
      state: 'pending',
      site: 'munich',
      resource: 'hfsshpc',
      tokens: 16,
      ageSeconds: 3,
      terms,
    };
    const { grants } = await (await answered(200, { site: 'munich', grants: [pending] })).list();
    expect(grants).toEqual([{ id: 'g-1', state: 'pending', resource: 'hfsshpc', tokens: 16, ageSeconds: 3, terms }]);
  });
});
