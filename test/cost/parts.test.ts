import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readSite } from '../../cdk/deployable-site.ts';
import { deploy } from '../../shared/config/deploy.ts';
import { partsOf } from '../../shared/cost/parts.ts';
import { austinTemplate } from '../cdk/made-stack.ts';

const austin = (await readSite('sites/austin.yaml')).site;

const number = async (type: string): Promise<number> =>
  Object.keys((await austinTemplate()).findResources(type)).length;

describe('the parts of a site that are paid for', () => {
  it('are those of its stack', async () => {
    expect(partsOf(austin)).toEqual({
      alarms: await number('AWS::CloudWatch::Alarm'),
      dashboards: await number('AWS::CloudWatch::Dashboard'),
      secrets: await number('AWS::SecretsManager::Secret'),
    });
  });

  it('hold no dashboard that the site file does not want', () => {
    const { file } = austin;
    const settings = deploy.parse({ dashboard: false });
    expect(partsOf({ ...austin, file: { ...file, deploy: settings } }).dashboards).toBe(0);
  });

  it.each(['AWS::EC2::NatGateway', 'AWS::EC2::VPCEndpoint', 'AWS::KMS::Key', 'AWS::CloudWatch::CompositeAlarm'])(
    'are all priced: the stack has no %s',
    async (type) => {
      expect(await number(type)).toBe(0);
    },
  );

  it('let Lambda write its own lines about each call, which are priced as log', async () => {
    const silenced = { LoggingConfig: { SystemLogLevel: Match.anyValue() } };
    (await austinTemplate()).resourcePropertiesCountIs('AWS::Lambda::Function', silenced, 0);
  });
});
