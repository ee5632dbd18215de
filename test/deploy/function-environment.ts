import { fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import { deployer, region } from './aws.ts';
import type { FunctionConfiguration } from './deployed.ts';

/** What Lambda gives to the function, with layers in another folder than `/opt`, and where its AWS is. */
export async function environmentOf(
  { FunctionName, Role, Environment }: FunctionConfiguration,
  layers: string,
  endpoint: string,
): Promise<Record<string, string>> {
  const session = fromTemporaryCredentials({
    params: { RoleArn: Role, RoleSessionName: FunctionName },
    clientConfig: { endpoint, region, credentials: deployer },
  });
  const { accessKeyId, secretAccessKey, sessionToken = '' } = await session();
  const inLayers = ([variable, value]: [string, string]) => [variable, value.replace(/^\/opt\//, `${layers}/`)];
  return {
    ...Object.fromEntries(Object.entries(Environment.Variables).map(inLayers)),
    AWS_LAMBDA_FUNCTION_NAME: FunctionName,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_ENDPOINT_URL: endpoint,
  };
}
