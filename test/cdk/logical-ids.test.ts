import { expect, it } from 'vitest';
import { austinTemplate, everySetting, pulled } from './made-stack.ts';

/** CloudFormation takes another id for another resource: it would make an empty one and leave or delete the old. */
const held = {
  'AWS::DynamoDB::Table': ['StateTable962DE04C'],
  'AWS::SecretsManager::Secret': ['SiteKeySecret15DB049E', 'ProvisionerKeySecret21136F4F'],
  'AWS::Events::EventBus': ['EventsBus45DE4339'],
  'AWS::SQS::Queue': ['DeadLettersQueue631681B1'],
  'AWS::ApiGatewayV2::Api': ['ApiCD79AAA0'],
};

it.each(Object.entries(held))('no change gives a resource of %s another logical id', async (type, ids) => {
  for (const change of [(text: string) => text, everySetting, pulled]) {
    expect(Object.keys((await austinTemplate(change)).findResources(type))).toEqual(ids);
  }
});

it('a site goes on with a restored table under a holder of its own, and the table that it had stays in the stack', async () => {
  const template = await austinTemplate(restored);
  expect(Object.keys(template.findResources('AWS::DynamoDB::Table'))).toEqual(held['AWS::DynamoDB::Table']);
  const functions = JSON.stringify(template.findResources('AWS::Lambda::Function'));
  expect(functions).toContain('"ESR_TABLE":"esr-austin-restored"');
  expect(functions).toMatch(/"ESR_HOLDER":{"Fn::Join":\[":",\[[^\]]*:esr-austin-restored"\]\]}/);
  expect(JSON.stringify(template.findResources('AWS::IAM::Policy'))).not.toContain('StateTable962DE04C');
});

const restored = (text: string): string => text.replace('deploy:\n', 'deploy:\n  restoredTable: esr-austin-restored\n');
