import { expect, it } from 'vitest';
import { austinTemplate, everySetting } from './made-stack.ts';

/** CloudFormation takes another id for another resource: it would make an empty one and leave or delete the old. */
const held = {
  'AWS::DynamoDB::Table': ['StateTable962DE04C'],
  'AWS::SecretsManager::Secret': ['SiteKeySecret15DB049E', 'ProvisionerKeySecret21136F4F'],
  'AWS::Events::EventBus': ['EventsBus45DE4339'],
  'AWS::SQS::Queue': ['DeadLettersQueue631681B1'],
  'AWS::ApiGatewayV2::Api': ['ApiCD79AAA0'],
};

it.each(Object.entries(held))('no change gives a resource of %s another logical id', async (type, ids) => {
  for (const change of [(text: string) => text, everySetting]) {
    expect(Object.keys((await austinTemplate(change)).findResources(type))).toEqual(ids);
  }
});
