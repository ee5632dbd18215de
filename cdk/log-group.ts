import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** A log that goes with its stack. `retentionDays`: as the schema of the site file has it, one of CloudWatch's own. */
export function logGroup(scope: Construct, id: string, logGroupName: string, retentionDays: number): LogGroup {
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum's values are the days
  return new LogGroup(scope, id, { logGroupName, retention: retentionDays, removalPolicy: RemovalPolicy.DESTROY });
}
