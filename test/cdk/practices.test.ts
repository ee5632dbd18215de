import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { describe, expect, it } from 'vitest';
import { findings } from './findings.ts';
import { austinStack, everySetting, pulled } from './made-stack.ts';

describe("cdk-nag's AwsSolutions and Serverless packs", () => {
  it('find nothing in the stack of a site', async () => {
    expect(findings(await austinStack())).toEqual([]);
  });

  it('find nothing with every setting that a site file may have', async () => {
    expect(findings(await austinStack(everySetting))).toEqual([]);
  });

  it('find nothing where the controller fetches its calls', async () => {
    expect(findings(await austinStack(pulled))).toEqual([]);
  });

  it('would find a table that nobody could restore', async () => {
    const stack = await austinStack();
    new Table(stack, 'Careless', { partitionKey: { name: 'pk', type: AttributeType.STRING } });
    expect(findings(stack)).toMatchObject([{ ruleName: 'AwsSolutions-DDB3' }]);
  });
});
