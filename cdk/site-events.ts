import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { AnyPrincipal, Effect, PolicyStatement, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource, type EventType } from '../shared/adapters/eventbridge/events.ts';
import type { DeployedFunction } from './deployed-function.ts';

/** The site's bus, its rules, and who may put what on it. */
export class SiteEvents extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', {});
  }

  /** Events of this type call the function, for five minutes at the most: by then the schedule has done their work. */
  deliver(type: EventType, target: DeployedFunction, deadLetterQueue: IQueue): void {
    new Rule(this, `${type}To${target.node.id}`, {
      eventBus: this.bus,
      eventPattern: { source: [eventSource], detailType: [type] },
      targets: [
        new LambdaFunction(target.function, { deadLetterQueue, retryAttempts: 3, maxEventAge: Duration.minutes(5) }),
      ],
    });
  }

  allowPut(role: IRole, types: readonly EventType[]): void {
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['events:PutEvents'],
        resources: [this.bus.eventBusArn],
        conditions: {
          'ForAllValues:StringEquals': { 'events:source': [eventSource] },
          StringEquals: { 'events:detail-type': types },
        },
      }),
    );
  }

  /** Nobody else may put events, whatever other rights they have. */
  denyAllBut(roles: readonly IRole[]): void {
    this.bus.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyTheSitesFunctions',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['events:PutEvents'],
        resources: [this.bus.eventBusArn],
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': roles.map(({ roleArn }) => roleArn) } },
      }),
    );
  }
}
