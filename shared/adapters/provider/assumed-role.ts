import { fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import { clientConfig, type Environment } from '../aws-client.ts';
import type { Credentials } from './iam-signer.ts';

/** A role of a pool's account that sites assume to call the pool. */
export interface PoolRole {
  readonly roleArn: string;
  /** By which the pool's account knows that it is this site that asks. */
  readonly externalId: string;
}

/**
 * Makes a session of the role, of an hour, with the function's own credentials. The session is named after the site, so
 * that the other account's logs say who called. Throws the SDK's errors.
 */
export function assumedRole(
  { roleArn, externalId }: PoolRole,
  site: string,
  environment: Environment,
): () => Promise<Credentials> {
  return fromTemporaryCredentials({
    params: { RoleArn: roleArn, ExternalId: externalId, RoleSessionName: sessionName(site) },
    clientConfig: clientConfig(environment, 'AWS_ENDPOINT_URL_STS'),
  });
}

/** 2 to 64 characters, among them all that a site's name may have (STS, AssumeRole, RoleSessionName). */
function sessionName(site: string): string {
  return `esr-${site}`.slice(0, 64);
}
