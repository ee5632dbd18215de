import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { listen } from '../../../shared/adapters/http/server.ts';

/** Secrets Manager's `GetSecretValue` with these secrets, until the test is over, as a function's environment. */
export async function secretServer(secrets: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const app = new Hono();
  app.post('/', async (c) => {
    const { SecretId: id }: { SecretId: string } = await c.req.json();
    const text = secrets[id];
    if (c.req.header('x-amz-target') !== 'secretsmanager.GetSecretValue') return c.json({ __type: 'Unknown' }, 400);
    if (text === undefined) return c.json({ __type: 'ResourceNotFoundException' }, 400);
    return c.json({ ARN: id, Name: id, SecretString: text });
  });
  const server = await listen(app, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
}
