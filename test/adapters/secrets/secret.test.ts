import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readJsonSecret, SecretNotJson } from '../../../shared/adapters/secrets/secret.ts';
import { secretServer } from './secret-server.ts';

describe('a secret', () => {
  it('is the JSON document that was put into it', async () => {
    const environment = await secretServer({ 'arn:key': '{"kty":"OKP"}' });
    expect(await readJsonSecret(environment, 'arn:key')).toEqual({ kty: 'OKP' });
  });

  it('says how to put a document into it while the text is there that it was made with, and never shows it', async () => {
    const environment = await secretServer({ 'arn:key': 'PLACEHOLDER' });
    const error: unknown = await readJsonSecret(environment, 'arn:key').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SecretNotJson);
    expect(String(error)).toContain('aws secretsmanager put-secret-value --secret-id arn:key');
    expect(inspect(error)).not.toContain('PLACEHOLDER');
  });

  it("fails with the service's word where it is not there", async () => {
    await expect(readJsonSecret(await secretServer({}), 'arn:key')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
