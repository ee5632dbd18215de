import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  LogQueryWidget,
  type Alarm,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeployedFunction } from './deployed-function.ts';

export interface SiteDashboardProps {
  readonly functions: readonly DeployedFunction[];
  readonly alarms: Alarm[];
  readonly table: Pick<ITable, 'metricConsumedReadCapacityUnits' | 'metricConsumedWriteCapacityUnits'>;
  readonly api: HttpApi;
  readonly deadLetters: IQueue;
}

const sum = { statistic: 'Sum', period: Duration.minutes(5) };

/** One page on how the site's deployment is. What the site does, its status API tells. */
export class SiteDashboard extends Construct {
  constructor(scope: Construct, id: string, { functions, alarms, table, api, deadLetters }: SiteDashboardProps) {
    super(scope, id);
    const ofEach = (metric: (each: DeployedFunction) => IMetric) => functions.map(metric);
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.days(1),
    });
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 }));
    dashboard.addWidgets(
      graph(
        'Calls',
        ofEach(({ function: each, node }) => each.metricInvocations({ ...sum, label: node.id })),
      ),
      graph('Failed calls', [
        ...ofEach(({ function: each, node }) => each.metricErrors({ ...sum, label: node.id })),
        deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead letters' }),
      ]),
      graph(
        'Slowest call (ms)',
        ofEach(({ function: each, node }) => each.metricDuration({ statistic: 'Maximum', label: node.id })),
      ),
    );
    dashboard.addWidgets(
      graph('Table units', [table.metricConsumedReadCapacityUnits(sum), table.metricConsumedWriteCapacityUnits(sum)]),
      graph('API', [api.metricCount(sum), api.metricClientError(sum), api.metricServerError(sum)]),
      new LogQueryWidget({
        title: 'Alarm lines',
        logGroupNames: functions.map(({ logGroup }) => logGroup.logGroupName),
        queryLines: ['fields @timestamp, alarm, message', "filter level = 'ALARM'", 'sort @timestamp desc', 'limit 20'],
        width: 8,
      }),
    );
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8 });
}
