import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeEach, describe, expect, it } from 'vitest';
import { PoolStack } from '../../cdk/pool-stack.ts';
import { loadPoolFile, type LoadedPool } from '../../shared/config/load-pool.ts';
import { findings } from './findings.ts';
import { newApp } from './made-stack.ts';

let pool: LoadedPool;
let stack: PoolStack;
let template: Template;

beforeEach(async () => {
  pool = await loadPoolFile('pools/burst.yaml');
  stack = new PoolStack(newApp(), pool);
  template = Template.fromStack(stack);
});

describe('the table of a pool', () => {
  it('is never replaced: its logical id is the one that was deployed first', () => {
    expect(Object.keys(template.findResources('AWS::DynamoDB::Table'))).toEqual(['StateTable962DE04C']);
  });

  it('outlives the stack, and can be restored', () => {
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });

  it('is open to the function alone, for its own partition and without Scan or DeleteItem', () => {
    const policies = Object.values(template.findResources('AWS::IAM::Policy'));
    const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements.filter(({ Action }) => String(Action).includes('dynamodb'))).toEqual([
      expect.objectContaining({
        Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['POOL#burst'] } },
      }),
    ]);
  });
});

describe('the API of a pool', () => {
  it('authenticates every route by IAM', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route'));
    expect(routes).toHaveLength(7);
    expect(new Set(routes.map(({ Properties }) => Properties.AuthorizationType))).toEqual(new Set(['AWS_IAM']));
  });

  it('is throttled and logs who calls', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: Match.anyValue(), ThrottlingBurstLimit: Match.anyValue() },
      AccessLogSettings: { Format: Match.stringLikeRegexp('identity.userArn') },
    });
  });

  it('raises an alarm for server errors, which are no failures of the function', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', { Namespace: 'AWS/ApiGateway', MetricName: '5xx' });
  });
});

describe('the role of a site', () => {
  const roleOf = (account: string, externalId: string) => ({
    AssumeRolePolicyDocument: {
      Statement: [
        {
          Action: 'sts:AssumeRole',
          Effect: 'Allow',
          Principal: { AWS: { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::${account}:root`]] } },
          Condition: { StringEquals: { 'sts:ExternalId': externalId } },
        },
      ],
      Version: '2012-10-17',
    },
  });

  it("trusts that site's account alone, with the site's external id", () => {
    template.hasResourceProperties('AWS::IAM::Role', roleOf('111122223333', 'burst-austin-5f0c1d9a'));
    template.hasResourceProperties('AWS::IAM::Role', roleOf('444455556666', 'burst-munich-c27be804'));
  });

  it("may call the contract's paths, and not recall grants", () => {
    const paths = Object.values(template.findResources('AWS::IAM::Policy'))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => Action === 'execute-api:Invoke')
      .map(({ Resource }) => [Resource].flat().map((arn) => /\/\$default\/(.*)"/.exec(JSON.stringify(arn))?.[1]));
    const site = [
      'GET/v1/describe',
      'GET/v1/grants',
      'GET/v1/grants/*',
      'POST/v1/grants/*/renew',
      'POST/v1/grants/*/return',
      'PUT/v1/grants/*',
    ];
    expect(paths.map((each) => each.map((path) => path?.replace(/"\]\].*/, '')))).toEqual([site, site]);
  });

  it('is an output, as is the address of the pool', () => {
    const outputs = Object.values(template.findOutputs('*')).map(({ Description }) => String(Description));
    expect(outputs.toSorted()).toEqual([
      'Role of site austin, for its site file',
      'Role of site munich, for its site file',
      'The pool, as the url in site files',
    ]);
  });
});

describe('the stack', () => {
  it('is named, placed and tagged as the pool file says', () => {
    const deploy = { ...pool.deploy, account: '999988887777', region: 'us-west-2', tags: { team: 'cad' } };
    const other = new PoolStack(newApp(), { ...pool, name: 'burst_2', deploy });
    expect(other).toMatchObject({ stackName: 'esr-pool-burst-2', account: '999988887777', region: 'us-west-2' });
    expect(other.tags.tagValues()).toEqual({ 'esr:pool': 'burst_2', team: 'cad' });
  });

  it.each([{}, { account: '999988887777', region: 'us-west-2' }])('gives cdk-nag nothing to find in %o', (place) => {
    const placed = new PoolStack(newApp(), { ...pool, deploy: { logRetentionDays: 30, tags: {}, ...place } });
    expect(findings(placed)).toEqual([]);
  });
});
