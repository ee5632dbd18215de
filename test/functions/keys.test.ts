import { describe, expect, it } from 'vitest';
import { keyOf } from '../../functions/wiring.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { KeyInvalid, newKeyPair } from '../../shared/adapters/signing/keys.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { secretServer } from '../adapters/secrets/secret-server.ts';

const hostWith = (environment: Record<string, string>) => ({
  environment,
  clock: systemClock,
  log: new JsonLog(() => {}),
});

describe("a function's key", () => {
  it('is in the secret that its environment names', async () => {
    const { privateJwk } = await newKeyPair();
    const environment = await secretServer({ 'arn:site': JSON.stringify(privateJwk) });
    const { kid } = await keyOf(hostWith({ ...environment, ESR_SITE_KEY_SECRET: 'arn:site' }), 'ESR_SITE_KEY');
    expect(kid).toBe(privateJwk.kid);
  });

  it('is in the environment itself where that names no secret', async () => {
    const { privateJwk } = await newKeyPair();
    const { kid } = await keyOf(hostWith({ ESR_SITE_KEY: JSON.stringify(privateJwk) }), 'ESR_SITE_KEY');
    expect(kid).toBe(privateJwk.kid);
  });

  it('is refused where the secret holds another document', async () => {
    const environment = await secretServer({ 'arn:site': '{}' });
    const host = hostWith({ ...environment, ESR_SITE_KEY_SECRET: 'arn:site' });
    await expect(keyOf(host, 'ESR_SITE_KEY')).rejects.toThrow(KeyInvalid);
  });
});
