/** What each service tells of what was made, as the proof compares it. */
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeEventBusCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
} from '@aws-sdk/client-eventbridge';
import { GetResourcePolicyCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { deployer, region, type Aws } from './aws.ts';

const clientConfig = ({ endpoint }: Aws) => ({ endpoint, region, credentials: deployer });

const denial = z.object({
  Statement: z.tuple([
    z.object({
      Effect: z.literal('Deny'),
      Principal: z.object({ AWS: z.literal('*') }),
      Action: z.string(),
      Condition: z.object({
        ArnNotEquals: z.object({ 'aws:PrincipalArn': z.union([z.string(), z.array(z.string())]) }),
      }),
    }),
  ]),
});

/** ARNs of the roles to which alone the one statement of a policy does not deny the action. */
function allButDenied(policy: string | undefined, action: string): string[] {
  const [{ Action, Condition }] = denial.parse(JSON.parse(policy ?? 'null')).Statement;
  if (Action !== action) throw new Error(`reading a policy: it denies ${Action}, not ${action}`);
  return [Condition.ArnNotEquals['aws:PrincipalArn']].flat().sort();
}

/** ARNs of the roles that may read a secret. */
export async function readersOf(aws: Aws, secret: string): Promise<string[]> {
  const client = new SecretsManagerClient(clientConfig(aws));
  const { ResourcePolicy } = await client.send(new GetResourcePolicyCommand({ SecretId: secret }));
  return allButDenied(ResourcePolicy, 'secretsmanager:GetSecretValue');
}

/** As the command does that is an output of the stack. */
export async function putSecret(aws: Aws, command: string, text: string): Promise<void> {
  const [, secret] = /--secret-id (\S+)/.exec(command) ?? [];
  const client = new SecretsManagerClient(clientConfig(aws));
  await client.send(new PutSecretValueCommand({ SecretId: secret, SecretString: text }));
}

/** A bus with ARNs of the roles that may put events on it, and of its rules' targets by the type of event. */
export async function busOf(aws: Aws, bus: string) {
  const client = new EventBridgeClient(clientConfig(aws));
  const { Policy } = await client.send(new DescribeEventBusCommand({ Name: bus }));
  const { Rules = [] } = await client.send(new ListRulesCommand({ EventBusName: bus }));
  const targets = new Map<string, (string | undefined)[]>();
  for (const { Name, EventPattern = '' } of Rules) {
    const { Targets = [] } = await client.send(new ListTargetsByRuleCommand({ Rule: Name, EventBusName: bus }));
    const [type] = eventPattern.parse(JSON.parse(EventPattern))['detail-type'];
    targets.set(
      type,
      Targets.map(({ Arn }) => Arn),
    );
  }
  return { sources: allButDenied(Policy, 'events:PutEvents'), targets: Object.fromEntries(targets) };
}

const eventPattern = z.object({ 'detail-type': z.tuple([z.string()]) });

export async function tableOf(aws: Aws, table: string | undefined) {
  const { Table } = await new DynamoDBClient(clientConfig(aws)).send(new DescribeTableCommand({ TableName: table }));
  return {
    keys: Table?.KeySchema?.map(({ AttributeName }) => AttributeName),
    billing: Table?.BillingModeSummary?.BillingMode,
    deletionProtection: Table?.DeletionProtectionEnabled,
  };
}
