import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientConfig, type Environment } from '../aws-client.ts';

/** The secret holds no JSON document. Nothing of what it does hold is told: it may be a private key. */
export class SecretNotJson extends Error {
  override readonly name = 'SecretNotJson';
  readonly secret: string;

  constructor(secret: string) {
    super(
      `reading the secret ${secret}: it holds no JSON document; put the private key that "esr keys new" wrote into it ` +
        `with "aws secretsmanager put-secret-value --secret-id ${secret} --secret-string file://KEY.private.json"`,
    );
    this.secret = secret;
  }
}

/**
 * The JSON document that a secret of Secrets Manager holds, from another endpoint where the environment names one
 * (`AWS_ENDPOINT_URL_SECRETS_MANAGER`). Throws `SecretNotJson`, and the SDK's errors when the secret can't be read.
 */
export async function readJsonSecret(environment: Environment, secret: string): Promise<unknown> {
  const client = new SecretsManagerClient(clientConfig(environment, 'AWS_ENDPOINT_URL_SECRETS_MANAGER'));
  try {
    const { SecretString: text = '' } = await client.send(new GetSecretValueCommand({ SecretId: secret }));
    return parse(secret, text);
  } finally {
    client.destroy();
  }
}

function parse(secret: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SecretNotJson(secret);
  }
}
