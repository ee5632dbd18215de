import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { DeployedFunction } from './deployed-function.ts';

export interface Network {
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
}

/** What Lambda does with a function's role to keep its network interfaces (AWS Lambda guide, "Giving functions access to a VPC"). */
const interfaceActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** Places a function into subnets that are given by their ids, so that nothing has to be looked up. */
export function placeIn(
  { subnets, securityGroups }: Network,
  { name, role, function: placed }: DeployedFunction,
): void {
  const resource = placed.node.defaultChild;
  if (!(resource instanceof CfnFunction)) throw new TypeError(`placing ${name} in subnets: it has no resource`);
  resource.vpcConfig = { subnetIds: [...subnets], securityGroupIds: [...securityGroups] };
  const arn = Stack.of(placed).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: name,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const resources = ['*'];
  role.addToPolicy(new PolicyStatement({ actions: interfaceActions, resources }));
  // The rights are Lambda's; the function's own code gets none of them.
  const conditions = { ArnEquals: { 'lambda:SourceFunctionArn': arn } };
  role.addToPolicy(new PolicyStatement({ effect: Effect.DENY, actions: interfaceActions, resources, conditions }));
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Lambda needs these for network interfaces that it has yet to make; the code itself is denied them.',
  });
}
