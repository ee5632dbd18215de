import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { functionsFor } from '../../functions/manifest.ts';
import { awsCalls } from './aws-calls.ts';
import { austinTemplate, everySetting, poolBehindIam, poolRole, pulled } from './made-stack.ts';
import { idOf, statementsOf, type Statement } from './template.ts';

/** What Lambda does with a function's role on its behalf; no code of ours makes these calls. */
const platformActions = ['logs:CreateLogStream', 'logs:PutLogEvents', 'sqs:SendMessage'];

const allowed = (statements: readonly Statement[]): string[] =>
  statements.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);

const functions = functionsFor('push');
const names = functions.map(({ name }) => name);
/** With everything that a function may have to do, and so may do. */
const everyTask = (text: string): string => pulled(poolBehindIam(text));

describe("a function's role", () => {
  it.each(functionsFor('pull').map(({ name }) => name))(
    '%s: allows the calls that are in its code, no fewer and no more',
    async (name) => {
      const actions = new Set(allowed(statementsOf(await austinTemplate(everyTask), name)));
      expect([...actions].sort()).toEqual([...(await awsCalls(name)), ...platformActions].sort());
    },
  );

  it.each(names)('%s: names each action and each resource', async (name) => {
    const statements = statementsOf(await austinTemplate(), name);
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
    expect(statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'))).toEqual([]);
  });

  it.each(names)(
    "%s: reaches the site's own items in the site's own table and nothing else of DynamoDB",
    async (name) => {
      const template = await austinTemplate();
      const table = { 'Fn::GetAtt': [idOf(template, 'AWS::DynamoDB::Table', 'StateTable'), 'Arn'] };
      const ofTable = statementsOf(template, name).filter(({ Action }) =>
        Action.some((a) => a.startsWith('dynamodb:')),
      );
      expect(ofTable).toEqual([
        {
          Effect: 'Allow',
          Action: expect.any(Array),
          Resource: [table],
          Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['SITE#austin'] } },
        },
      ]);
    },
  );

  it.each(functionsFor('pull'))(
    '$name: reaches the relay as far as it has to where the controller fetches its calls, and the site no further',
    async ({ name, tableActions, relayActions = [] }) => {
      const ofTable = statementsOf(await austinTemplate(pulled), name).filter(({ Action }) =>
        Action.some((a) => a.startsWith('dynamodb:')),
      );
      const expected = [
        ['SITE#austin', tableActions],
        ['RELAY#austin', relayActions],
      ] as const;
      expect(ofTable.map(({ Action, Condition }) => ({ Action: Action.toSorted(), Condition }))).toEqual(
        expected
          .filter(([, actions]) => actions.length > 0)
          .map(([partition, actions]) => ({
            Action: actions.map((action) => `dynamodb:${action}`).toSorted(),
            Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] } },
          })),
      );
    },
  );

  it('is there for the relay only where the controller fetches its calls, and reaches nothing else there', async () => {
    const of = (template: Template) =>
      Object.keys(
        template.findResources('AWS::Lambda::Function', { Properties: { FunctionName: 'esr-austin-relay' } }),
      );
    expect(of(await austinTemplate())).toEqual([]);
    expect(of(await austinTemplate(pulled))).toHaveLength(1);
    expect(functionsFor('pull').find(({ name }) => name === 'relay')?.tableActions).toEqual([]);
  });

  it('never scans or deletes', () => {
    const actions = functionsFor('pull').flatMap(({ tableActions, relayActions = [] }) => [
      ...tableActions,
      ...relayActions,
    ]);
    expect(new Set(actions)).toEqual(new Set(['GetItem', 'Query', 'PutItem', 'UpdateItem']));
  });

  it.each(functions.map(({ name, puts }) => [name, puts] as const))(
    '%s: puts its own events on the bus: %j',
    async (name, puts) => {
      const template = await austinTemplate();
      const bus = { 'Fn::GetAtt': [idOf(template, 'AWS::Events::EventBus', 'EventsBus'), 'Arn'] };
      const ofBus = statementsOf(template, name).filter(({ Action }) => Action.includes('events:PutEvents'));
      expect(ofBus.map(({ Resource, Condition }) => ({ Resource, Condition }))).toEqual(
        puts.map((type) => ({
          Resource: [bus],
          Condition: {
            'ForAllValues:StringEquals': { 'events:source': ['elastic-shared-resources'] },
            StringEquals: { 'events:detail-type': [type] },
          },
        })),
      );
    },
  );

  it.each([
    ['SiteKey', ['reconcile', 'status']],
    ['ProvisionerKey', ['push-total']],
  ])('of all functions, the %s may be read by %j', async (key, readers) => {
    const template = await austinTemplate();
    const secret = { Ref: idOf(template, 'AWS::SecretsManager::Secret', key) };
    const found = names.filter((name) =>
      statementsOf(template, name).some(
        ({ Action, Resource }) =>
          Action.includes('secretsmanager:GetSecretValue') && JSON.stringify(Resource) === JSON.stringify([secret]),
      ),
    );
    expect(found).toEqual(readers);
  });

  it('in a VPC adds what Lambda needs for network interfaces, and denies it to the code', async () => {
    const template = await austinTemplate(everySetting);
    for (const { name, signsWith } of functions) {
      const ofNetwork = statementsOf(template, name).filter(({ Action }) => Action.some((a) => a.startsWith('ec2:')));
      expect(ofNetwork.map(({ Effect }) => Effect)).toEqual(signsWith === undefined ? [] : ['Allow', 'Deny']);
      if (signsWith === undefined) continue;
      const [allow, deny] = ofNetwork;
      expect(deny?.Action).toEqual(allow?.Action);
      expect(JSON.stringify(deny?.Condition)).toContain(`:function:esr-austin-${name}`);
    }
  });

  it('may assume the roles that the site file names for its providers, where it calls them', async () => {
    const template = await austinTemplate(poolBehindIam);
    for (const { name, callsProviders } of functions) {
      const ofProviders = statementsOf(template, name).filter(({ Action }) => Action.includes('sts:AssumeRole'));
      expect(ofProviders.flatMap(({ Resource }) => Resource)).toEqual(callsProviders === true ? [poolRole] : []);
    }
  });
});

describe('the rest of the account, whatever its rights', () => {
  const onlyFor = (...roles: unknown[]) => ({ ArnNotEquals: { 'aws:PrincipalArn': roles } });
  const roleOf = (template: Template, id: string) => ({
    'Fn::GetAtt': [idOf(template, 'AWS::IAM::Role', `${id}Role`), 'Arn'],
  });

  it("puts no events on the site's bus", async () => {
    const template = await austinTemplate();
    const condition = onlyFor(roleOf(template, 'Reconcile'), roleOf(template, 'Demand'));
    template.hasResourceProperties('AWS::Events::EventBusPolicy', {
      Statement: Match.objectLike({ Effect: 'Deny', Action: 'events:PutEvents', Condition: condition }),
    });
  });

  it.each([
    ['SiteKey', ['Reconcile', 'Status']],
    ['ProvisionerKey', ['PushTotal']],
  ])('does not read the %s', async (key, readers) => {
    const template = await austinTemplate();
    const roles = readers.map((id) => roleOf(template, id));
    template.hasResourceProperties('AWS::SecretsManager::ResourcePolicy', {
      SecretId: { Ref: idOf(template, 'AWS::SecretsManager::Secret', key) },
      ResourcePolicy: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'secretsmanager:GetSecretValue',
            Condition: onlyFor(...roles),
          }),
        ],
      },
    });
  });
});
