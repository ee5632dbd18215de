import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { functionsFor } from '../../functions/manifest.ts';
import { leaseRequest } from '../../shared/contracts/controller.ts';
import { austinStack, austinTemplate, everySetting } from './made-stack.ts';
import { environmentOf, idOf } from './template.ts';

const functions = functionsFor('push');

const queueArn = (template: Template) => ({ 'Fn::GetAtt': [idOf(template, 'AWS::SQS::Queue', 'DeadLetters'), 'Arn'] });

describe('the stack of a site', () => {
  it('bears the name of the site, and is deployed where its file says', async () => {
    expect(await austinStack(everySetting)).toMatchObject({
      stackName: 'esr-austin',
      account: '111122223333',
      region: 'us-east-1',
    });
  });

  it('has the tags of the site file, and one that names the site', async () => {
    const { tags } = await austinStack();
    expect(tags.tagValues()).toEqual({ 'esr:site': 'austin', 'cost-centre': 'eda' });
  });

  it('is named in letters that CloudFormation takes, where the site has others', async () => {
    expect(await austinStack((text) => text.replace('site: austin', 'site: north_austin'))).toMatchObject({
      stackName: 'esr-north-austin',
    });
  });
});

describe('the table', () => {
  it('is paid by use, can be restored to any second, and outlives its stack', async () => {
    (await austinTemplate()).hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      },
    });
  });
});

describe('a function', () => {
  it.each(functions.map((spec) => [spec.name, spec] as const))(
    '%s: is what the manifest says, with a log that ends and a place for what fails',
    async (name, { timeoutSeconds, memoryMegabytes }) => {
      const template = await austinTemplate();
      template.hasResourceProperties('AWS::Lambda::Function', {
        FunctionName: `esr-austin-${name}`,
        Architectures: ['arm64'],
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Timeout: timeoutSeconds,
        MemorySize: memoryMegabytes,
        ReservedConcurrentExecutions: Match.absent(),
        VpcConfig: Match.absent(),
      });
      template.hasResourceProperties('AWS::Logs::LogGroup', {
        LogGroupName: `/aws/lambda/esr-austin-${name}`,
        RetentionInDays: 30,
      });
    },
  );

  it('sends the events that it could not take, to the dead letters', async () => {
    const template = await austinTemplate();
    const invocations = template.findResources('AWS::Lambda::EventInvokeConfig', {
      Properties: { DestinationConfig: { OnFailure: { Destination: queueArn(template) } } },
    });
    expect(Object.keys(invocations)).toHaveLength(functions.length);
  });

  it('has its key in a secret, and no key in its environment', async () => {
    const template = await austinTemplate();
    for (const { name, signsWith } of functions) {
      const keys = Object.keys(environmentOf(template, name)).filter((variable) =>
        /^ESR_(SITE|PROVISIONER)_KEY/.test(variable),
      );
      expect(keys).toEqual(signsWith === undefined ? [] : [`${signsWith}_SECRET`]);
    }
  });

  it("is known to the controller by its table, in the letters that a lease's holder may have", async () => {
    const template = await austinTemplate(everySetting);
    const table = idOf(template, 'AWS::DynamoDB::Table', 'StateTable');
    expect(environmentOf(template, 'reconcile')).toMatchObject({
      ESR_HOLDER: { 'Fn::Join': [':', ['111122223333:us-east-1', { Ref: table }]] },
    });
    const example = { holder: `111122223333:us-east-1:esr-austin-${table}-1A2B3C4D5E6F7`, ttlSeconds: 60 };
    expect(leaseRequest.parse(example)).toEqual(example);
  });

  it('runs in the subnets of the site file where it calls the controller, and only there', async () => {
    const template = await austinTemplate(everySetting);
    const placed = template.findResources('AWS::Lambda::Function', {
      Properties: { VpcConfig: { SubnetIds: ['subnet-0a1b', 'subnet-2c3d'], SecurityGroupIds: ['sg-4e5f'] } },
    });
    expect(Object.keys(placed)).toHaveLength(functions.filter(({ signsWith }) => signsWith !== undefined).length);
  });
});

describe('the triggers', () => {
  it('are a schedule for each function that has a period, with a queue for calls that fail', async () => {
    const template = await austinTemplate();
    const scheduled = functions.filter(({ everySeconds }) => everySeconds !== undefined);
    template.resourceCountIs('AWS::Scheduler::Schedule', scheduled.length);
    template.allResourcesProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { DeadLetterConfig: { Arn: queueArn(template) } },
    });
  });

  it.each(functions.flatMap(({ name, events }) => events.map((type) => [type, name] as const)))(
    'are a rule by which %s calls %s, with a queue for calls that fail',
    async (type, name) => {
      const template = await austinTemplate();
      const target = template.findResources('AWS::Lambda::Function', {
        Properties: { FunctionName: `esr-austin-${name}` },
      });
      template.hasResourceProperties('AWS::Events::Rule', {
        EventBusName: { Ref: idOf(template, 'AWS::Events::EventBus', 'EventsBus') },
        EventPattern: { source: ['elastic-shared-resources'], 'detail-type': [type] },
        Targets: [
          Match.objectLike({
            Arn: { 'Fn::GetAtt': [Object.keys(target)[0], 'Arn'] },
            DeadLetterConfig: { Arn: queueArn(template) },
            RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 3 },
          }),
        ],
      });
    },
  );
});

describe('the API', () => {
  const routes = functions.flatMap(({ routes }) => routes);

  it.each(routes.map(({ method, path, authentication }) => [`${method} ${path}`, authentication] as const))(
    'has the route %s, where the %s checks who calls',
    async (key, authentication) => {
      const type = authentication === 'platform' ? 'AWS_IAM' : 'NONE';
      (await austinTemplate()).hasResourceProperties('AWS::ApiGatewayV2::Route', {
        RouteKey: key,
        AuthorizationType: type,
      });
    },
  );

  it('takes the tokens of an issuer instead, where the site file names one', async () => {
    const template = await austinTemplate(everySetting);
    template.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      AuthorizerType: 'JWT',
      JwtConfiguration: { Issuer: 'https://login.example.com', Audience: ['readers'] },
    });
    template.resourcePropertiesCountIs(
      'AWS::ApiGatewayV2::Route',
      { AuthorizationType: 'JWT' },
      routes.filter(({ authentication }) => authentication === 'platform').length,
    );
    template.resourcePropertiesCountIs('AWS::ApiGatewayV2::Route', { AuthorizationType: 'AWS_IAM' }, 0);
  });

  it('is throttled, and keeps a log of who called', async () => {
    (await austinTemplate()).hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      AccessLogSettings: { Format: Match.stringLikeRegexp('"caller":"\\$context.identity.userArn"') },
    });
  });
});
