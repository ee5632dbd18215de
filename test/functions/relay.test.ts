import { expect, it } from 'vitest';
import * as z from 'zod';
import { make as makeRelay } from '../../functions/relay.ts';
import { DynamoRelayStore } from '../../shared/adapters/dynamodb/relay.ts';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { loadSigningKey } from '../../shared/adapters/signing/keys.ts';
import { relayedCalls } from '../../shared/contracts/relay.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startParts } from './parts.ts';

const page = z.object({
  statusCode: z.literal(200),
  body: z.string().transform((body) => relayedCalls.parse(JSON.parse(body))),
});

it('hands the calls of its site to the controller, and takes the answers', async () => {
  const { make, environment, keys } = await startParts();
  const table = environment['ESR_TABLE'] ?? '';
  const store = new DynamoRelayStore({ client: dynamoClient(environment), table, site: 'munich' });
  const id = await store.leave({ method: 'GET', target: '/v1/shared-resources', headers: {} }, Date.now() + 60_000);
  const relay = await make(makeRelay);
  const signer = { key: await loadSigningKey(keys.own.controller), subject: 'munich' };

  const { body } = page.parse(await relay(await gatewayEvent('GET', '/v1/relay', { signer })));
  expect(body.calls).toMatchObject([{ id, target: '/v1/shared-resources' }]);
  const answer = { signer, body: JSON.stringify({ status: 204, body: '' }) };
  expect(await relay(await gatewayEvent('POST', `/v1/relay/${id}`, answer))).toMatchObject({ statusCode: 204 });
  expect(await store.answerTo(id)).toMatchObject({ status: 204 });
  expect(await relay(await gatewayEvent('GET', '/v1/relay'))).toMatchObject({ statusCode: 401 });
});
