import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientConfig, type Environment } from '../aws-client.ts';

/** At another engine where the environment names one (`AWS_ENDPOINT_URL_DYNAMODB`). */
export function dynamoClient(environment: Environment): DynamoDBClient {
  return new DynamoDBClient(clientConfig(environment, 'AWS_ENDPOINT_URL_DYNAMODB'));
}
