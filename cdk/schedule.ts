import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeployedFunction } from './deployed-function.ts';

/** Calls functions every so often. */
export class Schedule extends Construct {
  readonly #role: Role;
  readonly #deadLetters: IQueue;

  constructor(scope: Construct, id: string, deadLetters: IQueue) {
    super(scope, id);
    this.#deadLetters = deadLetters;
    this.#role = new Role(this, 'Role', {
      // Without the condition any schedule of another account that is told this role's name could use it.
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    });
    this.#role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }));
  }

  /** `seconds` in whole minutes, as schedules have no shorter period. */
  every(seconds: number, { node, function: { functionArn } }: DeployedFunction): void {
    this.#role.addToPolicy(
      // The ARN alone: `grantInvoke` would add every version and alias with a wildcard.
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
    const minutes = seconds / 60;
    new CfnSchedule(this, node.id, {
      scheduleExpression: `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: functionArn,
        roleArn: this.#role.roleArn,
        deadLetterConfig: { arn: this.#deadLetters.queueArn },
        // A call that is late is worth no more than the next.
        retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 1 },
      },
    });
  }
}
