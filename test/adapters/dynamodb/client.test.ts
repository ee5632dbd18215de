import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dynamoClient } from '../../../shared/adapters/dynamodb/client.ts';
import { engineEnvironment } from '../../../shared/local/engine.ts';
import { portOf } from '../../../shared/local/engine-port.ts';

const getItem = new GetItemCommand({ TableName: 'esr-test', Key: { pk: { S: 'a' }, sk: { S: 'b' } } });

describe('dynamoClient', () => {
  let server: Server;
  afterEach(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  async function clientOf(answer: Parameters<typeof createServer>[1]) {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return dynamoClient(engineEnvironment({ endpoint: `http://127.0.0.1:${portOf(server)}` }));
  }

  it('gives up with an error when no answer comes, after three tries', async () => {
    let calls = 0;
    const client = await clientOf(() => {
      calls += 1;
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcomes: unknown[] = [];
    void client.send(getItem).catch((error: unknown) => outcomes.push(error));
    while (outcomes.length === 0) {
      await vi.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(outcomes).toMatchObject([{ name: 'TimeoutError', $metadata: { attempts: 3 } }]);
    expect(calls).toBe(3);
    client.destroy();
  });

  it('uses one connection for calls that follow each other', async () => {
    const client = await clientOf((_, response) => response.end('{}'));
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    for (let call = 0; call < 5; call += 1) await client.send(getItem);
    expect(connections).toBe(1);
    client.destroy();
  });
});
