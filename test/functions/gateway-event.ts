import { signCall } from '../../shared/adapters/signing/call-token.ts';
import type { SigningKey } from '../../shared/adapters/signing/keys.ts';

const domainName = 'abc123.execute-api.eu-central-1.amazonaws.com';

/** An event of an HTTP API (payload format 2.0), signed where there is a key. */
export async function gatewayEvent(
  method: string,
  path: string,
  options: { body?: string; signer?: { key: SigningKey; subject: string }; audience?: string } = {},
): Promise<object> {
  const { body, signer, audience = 'munich' } = options;
  const url = `https://${domainName}${path}`;
  const call = { method, url, ...(body === undefined ? {} : { body }) };
  const authorization = signer && `Bearer ${await signCall({ ...signer, audience, ...call })}`;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    requestContext: { domainName, http: { method, path, protocol: 'HTTP/1.1' }, stage: '$default' },
    ...(body === undefined ? {} : { body }),
    isBase64Encoded: false,
  };
}
