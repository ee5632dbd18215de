import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  TreatMissingData,
  type AlarmProps,
  type IAlarmAction,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionSpec } from '../functions/manifest.ts';
import type { DeployedFunction } from './deployed-function.ts';

export interface AlarmsProps {
  readonly functions: ReadonlyMap<FunctionSpec, DeployedFunction>;
  readonly deadLetters: IQueue;
  /** Whose server errors are failures: its functions answer them, so that none of them counts as failed. */
  readonly api?: HttpApi;
  /** ARN of an SNS topic. */
  readonly topic?: string;
}

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

/** What a person must look at: nothing here is needed for the site to mend itself. */
export class Alarms extends Construct {
  readonly alarms: Alarm[] = [];
  readonly #functions: readonly DeployedFunction[];
  readonly #action: IAlarmAction | undefined;

  constructor(scope: Construct, id: string, { functions, deadLetters, api, topic }: AlarmsProps) {
    super(scope, id);
    this.#functions = [...functions.values()];
    this.#action = topic === undefined ? undefined : new SnsAction(Topic.fromTopicArn(this, 'Topic', topic));
    this.#above('DeadLetters', 'Calls have failed for good', deadLetters.metricApproximateNumberOfMessagesVisible());
    const sum = { statistic: 'Sum', period: fiveMinutes };
    if (api !== undefined) this.#above('ServerErrors', 'The API has failed', api.metricServerError(sum));
    for (const [{ everySeconds }, { function: each, node }] of functions) {
      this.#above(`${node.id}Errors`, `${node.id} has failed`, each.metricErrors(sum));
      this.#above(`${node.id}Throttles`, `${node.id} was not let run`, each.metricThrottles(sum));
      if (everySeconds !== undefined)
        this.#silent(node.id, each.metricInvocations({ statistic: 'Sum', period: minute }));
    }
    this.#above('Reported', 'A function has written an alarm to its log', this.#reported());
  }

  /** Counts the lines that `Log.alarm` writes (shared/adapters/json-log.ts), whichever function wrote them. */
  #reported(): IMetric {
    const metric = { metricNamespace: `ElasticSharedResources/${Stack.of(this).stackName}`, metricName: 'Alarms' };
    const filters = this.#functions.map(
      ({ node, logGroup }) =>
        new MetricFilter(this, `${node.id}Reports`, {
          logGroup,
          filterPattern: FilterPattern.stringValue('$.level', '=', 'ALARM'),
          ...metric,
        }),
    );
    const [first] = filters;
    if (first === undefined) throw new RangeError('counting alarm lines: there is no function');
    return first.metric({ statistic: 'Sum', period: fiveMinutes });
  }

  #above(id: string, alarmDescription: string, metric: IMetric): void {
    this.#add(id, {
      alarmDescription,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      // No failure, no line: no data.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  /** Not called for five minutes running. A function that is never called has no data at all. */
  #silent(name: string, invocations: IMetric): void {
    this.#add(`${name}Silent`, {
      alarmDescription: `${name} has not run for 5 minutes`,
      metric: invocations,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 5,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  #add(id: string, props: AlarmProps): void {
    const alarm = new Alarm(this, id, props);
    if (this.#action !== undefined) alarm.addAlarmAction(this.#action);
    this.alarms.push(alarm);
  }
}
