import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Under a second in any healthy region; with all attempts a call ends within some 16 seconds. */
const connectionTimeoutMilliseconds = 1_000;
const requestTimeoutMilliseconds = 5_000;
const maximumAttempts = 3;

/**
 * A client with time limits (the SDK has none by default) that keeps its connections. Region and credentials come from
 * where the SDK looks for them; where `environment` names another engine (`AWS_ENDPOINT_URL_DYNAMODB`), they come from
 * there too, so that one process can talk to several.
 */
export function dynamoClient(environment: Readonly<Record<string, string | undefined>>): DynamoDBClient {
  return new DynamoDBClient({
    ...otherEngine(environment),
    maxAttempts: maximumAttempts,
    requestHandler: {
      connectionTimeout: connectionTimeoutMilliseconds,
      requestTimeout: requestTimeoutMilliseconds,
      throwOnRequestTimeout: true,
    },
  });
}

function otherEngine(environment: Readonly<Record<string, string | undefined>>): DynamoDBClientConfig {
  const {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = environment;
  if (endpoint === undefined) return {};
  return {
    endpoint,
    ...(region === undefined ? {} : { region }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) } }),
  };
}
