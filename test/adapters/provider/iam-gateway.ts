import { createHash, createHmac } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { callTokenHeader } from '../../../shared/contracts/common.ts';
import type { Credentials } from '../../../shared/adapters/provider/iam-signer.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** RFC 3986: all but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * What API Gateway checks of a call when a route authenticates by IAM: its Signature Version 4, step by step as AWS's
 * guide "Create a signed AWS API request" has it. `known` are the credentials that were handed out. Answers 403 as API
 * Gateway does.
 */
export function iamGateway(
  region: string,
  known: () => readonly Credentials[] | Promise<readonly Credentials[]>,
): MiddlewareHandler {
  return async (c, next) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    const claimed = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(.+), SignedHeaders=(.+), Signature=(.+)$/.exec(
      c.req.header('authorization') ?? '',
    );
    const [, accessKeyId, scope = '', signedHeaders = 'host', signature] = claimed ?? [];
    const holder = (await known()).find((each) => each.accessKeyId === accessKeyId);
    const at = c.req.header('x-amz-date') ?? '';
    const day = at.slice(0, 8);
    const url = new URL(c.req.url);
    const canonical = [
      c.req.method,
      url.pathname.split('/').map(encode).join('/'),
      [...url.searchParams]
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .sort()
        .join('&'),
      ...signedHeaders.split(';').map((name) => `${name}:${c.req.header(name)?.trim() ?? ''}`),
      '',
      signedHeaders,
      sha256(body),
    ].join('\n');
    const key = [day, region, 'execute-api', 'aws4_request'].reduce<string | Buffer>(
      hmac,
      `AWS4${holder?.secretAccessKey ?? ''}`,
    );
    const mustBeSigned = [
      'host',
      'x-amz-date',
      ...(c.req.header(callTokenHeader) === undefined ? [] : [callTokenHeader]),
    ];
    const sound =
      holder !== undefined &&
      holder.sessionToken === c.req.header('x-amz-security-token') &&
      scope === `${day}/${region}/execute-api/aws4_request` &&
      mustBeSigned.every((name) => signedHeaders.split(';').includes(name)) &&
      hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex') === signature;
    return sound ? next() : c.json({ message: 'Forbidden' }, 403);
  };
}
