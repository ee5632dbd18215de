import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { functionsFor } from '../../functions/manifest.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { austinTemplate, everySetting } from './made-stack.ts';

const functions = functionsFor('push');

describe('the alarms of a site', () => {
  it('go off when a call has failed for good', async () => {
    (await austinTemplate()).hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'ApproximateNumberOfMessagesVisible',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
    });
  });

  it.each(['Errors', 'Throttles'])('go off when a function has %s', async (metric) => {
    (await austinTemplate()).resourcePropertiesCountIs(
      'AWS::CloudWatch::Alarm',
      { Namespace: 'AWS/Lambda', MetricName: metric, Threshold: 0, TreatMissingData: 'notBreaching' },
      functions.length,
    );
  });

  it('go off when a function with a period has not run for five minutes, of which there is no data', async () => {
    (await austinTemplate()).resourcePropertiesCountIs(
      'AWS::CloudWatch::Alarm',
      {
        MetricName: 'Invocations',
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        Period: 60,
        EvaluationPeriods: 5,
        TreatMissingData: 'breaching',
      },
      functions.filter(({ everySeconds }) => everySeconds !== undefined).length,
    );
  });

  it('go off when a function has written an alarm to its log', async () => {
    const template = await austinTemplate();
    const lines: string[] = [];
    new JsonLog((line) => lines.push(line)).alarm('grant-overdue', 'still in use');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ALARM' });
    template.resourcePropertiesCountIs(
      'AWS::Logs::MetricFilter',
      {
        FilterPattern: '{ $.level = "ALARM" }',
        MetricTransformations: [
          { MetricNamespace: 'ElasticSharedResources/esr-austin', MetricName: 'Alarms', MetricValue: '1' },
        ],
      },
      functions.length,
    );
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'ElasticSharedResources/esr-austin',
      MetricName: 'Alarms',
      Threshold: 0,
    });
  });

  it('tell the topic of the site file, where there is one', async () => {
    const topic = ['arn:aws:sns:us-east-1:111122223333:operations'];
    (await austinTemplate(everySetting)).allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: topic });
    (await austinTemplate()).allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: Match.absent() });
  });
});

describe('the dashboard', () => {
  it('is there unless the site file says otherwise', async () => {
    const without = (text: string) => text.replace('dashboard: true', 'dashboard: false');
    (await austinTemplate()).resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    (await austinTemplate(without)).resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });
});
