/** What all clients of cloud services have in common. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Under a second in any healthy region; with all attempts a call ends within some 16 seconds. */
const connectionTimeoutMilliseconds = 1_000;
const requestTimeoutMilliseconds = 5_000;
const maximumAttempts = 3;

/**
 * Time limits (the SDK has none by default). Region and credentials come from where the SDK looks for them; where
 * `environment` names another endpoint in `endpointVariable` they come from there too, so that one process can talk to
 * several.
 */
export function clientConfig(environment: Environment, endpointVariable: string) {
  return {
    ...otherEndpoint(environment, endpointVariable),
    maxAttempts: maximumAttempts,
    requestHandler: {
      connectionTimeout: connectionTimeoutMilliseconds,
      requestTimeout: requestTimeoutMilliseconds,
      throwOnRequestTimeout: true,
    },
  };
}

function otherEndpoint(environment: Environment, endpointVariable: string) {
  const endpoint = environment[endpointVariable];
  if (endpoint === undefined) return {};
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = environment;
  return {
    endpoint,
    ...(region === undefined ? {} : { region }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) } }),
  };
}
