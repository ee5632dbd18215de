import { AwsV4Signer } from 'aws4fetch';
import type { PlatformSigner } from '../http/client.ts';

/** Temporary credentials, as AWS hands them out. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** A call that is signed now must still be valid when it arrives, and a new session may take a few tries. */
const renewBeforeMilliseconds = 5 * 60_000;

/** Signs calls to an API Gateway API that authenticates by IAM (Signature Version 4), and renews the credentials. */
export class IamSigner implements PlatformSigner {
  readonly #region: string;
  readonly #obtain: () => Promise<Credentials>;
  #held: Promise<Credentials> | undefined;

  /** `region` is the API's. `obtain` is asked for new credentials when those it gave last are about to expire. */
  constructor({ region, obtain }: { region: string; obtain: () => Promise<Credentials> }) {
    this.#region = region;
    this.#obtain = obtain;
  }

  /** Throws what `obtain` throws. */
  async sign(
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<Headers> {
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#credentials();
    const signer = new AwsV4Signer({
      url,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 'execute-api',
      region: this.#region,
    });
    return (await signer.sign()).headers;
  }

  async #credentials(): Promise<Credentials> {
    const held = this.#held;
    const credentials = await held?.catch(() => undefined);
    if (credentials !== undefined && isFresh(credentials)) return credentials;
    // Of the calls that find them old at once, the first obtains new ones for all.
    const renewed = this.#held;
    if (renewed !== undefined && renewed !== held) return renewed;
    return (this.#held = this.#obtain());
  }
}

function isFresh({ expiration }: Credentials): boolean {
  return expiration === undefined || expiration.getTime() - Date.now() > renewBeforeMilliseconds;
}
