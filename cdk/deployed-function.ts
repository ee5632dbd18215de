import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, Runtime, type ILayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionSpec } from '../functions/manifest.ts';
import { logGroup } from './log-group.ts';

export interface DeployedFunctionProps {
  readonly spec: Pick<FunctionSpec, 'name' | 'timeoutSeconds' | 'memoryMegabytes'>;
  readonly environment: Readonly<Record<string, string>>;
  readonly layers?: ILayerVersion[];
  readonly deadLetters: IQueue;
  readonly logRetentionDays: number;
}

/** Events wait no longer than this for a function: by then a later one has done their work. */
const maximumEventAge = Duration.minutes(5);

/** A function as scripts/build.mjs made it, with a role of its own that may do what every function must. */
export class DeployedFunction extends Construct {
  /** As AWS knows it. */
  readonly name: string;
  readonly function: Function;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: DeployedFunctionProps) {
    super(scope, id);
    const { spec, environment, layers = [], deadLetters, logRetentionDays } = props;
    this.name = `${Stack.of(this).stackName}-${spec.name}`;
    this.logGroup = logGroup(this, 'Log', `/aws/lambda/${this.name}`, logRetentionDays);
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [this.logGroup.logGroupArn],
      }),
    );
    this.role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }));
    this.function = new Function(this, 'Function', {
      functionName: this.name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(`dist/functions/${spec.name}`, { exclude: ['*.map'] }),
      layers,
      environment,
      timeout: Duration.seconds(spec.timeoutSeconds),
      memorySize: spec.memoryMegabytes,
      role: this.role,
      logGroup: this.logGroup,
    });
    this.function.configureAsyncInvoke({
      maxEventAge: maximumEventAge,
      retryAttempts: 2,
      // The role may send and no more; aws-cdk-lib's own destination would let it read the queue's settings as well.
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    });
    Validations.of(this.function).acknowledge(
      {
        id: 'Serverless-LambdaDLQ',
        reason: 'Its on-failure destination gets the same events, with the error besides.',
      },
      {
        id: 'Serverless-LambdaTracing',
        reason:
          'A trace a minute would cost more than all else of an idle site and needs rights on every resource; each pass is kept for replay instead.',
      },
    );
  }
}
