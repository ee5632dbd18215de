import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi as Api,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  LogGroupLogDestination,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { Route } from '../functions/manifest.ts';
import type { DeployedFunction } from './deployed-function.ts';
import { logGroup } from './log-group.ts';

export interface HttpApiProps {
  /** Of the output that is its URL. */
  readonly description: string;
  /** Readers show a token of this issuer; without one they sign with IAM. */
  readonly jwt?: { readonly issuer: string; readonly audience: readonly string[] };
  readonly logRetentionDays: number;
}

/** Far more than a controller and its watchers ask, and little enough that nobody runs up a bill. */
const throttle = { rateLimit: 50, burstLimit: 100 };

/** Fields of an access log line, by API Gateway's names for them. */
const logged = {
  requestId: '$context.requestId',
  at: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  caller: '$context.identity.userArn',
  route: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  error: '$context.error.message',
};

/** The functions' routes as an HTTP API, with its URL as an output of the stack. */
export class HttpApi extends Construct {
  readonly api: Api;
  readonly #platform: IHttpRouteAuthorizer;

  constructor(scope: Construct, id: string, { description, jwt, logRetentionDays }: HttpApiProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    this.api = new Api(this, 'Api', { apiName: stackName, createDefaultStage: false });
    // Under this prefix API Gateway adds no resource policy of its own for each group, which would run into a limit.
    const log = logGroup(this, 'Log', `/aws/vendedlogs/${stackName}-api`, logRetentionDays);
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(log),
        format: AccessLogFormat.custom(JSON.stringify(logged)),
      },
    });
    this.#platform =
      jwt === undefined
        ? new HttpIamAuthorizer()
        : new HttpJwtAuthorizer('Jwt', jwt.issuer, { jwtAudience: [...jwt.audience] });
    new CfnOutput(this, 'Url', { description, value: this.api.apiEndpoint });
  }

  add({ method, path, authentication }: Route, target: DeployedFunction): void {
    const integration = new HttpLambdaIntegration(`${target.node.id}Integration`, target.function);
    const authorizer = authentication === 'platform' ? this.#platform : new HttpNoneAuthorizer();
    const routes = this.api.addRoutes({ path, methods: [HttpMethod[method]], integration, authorizer });
    if (authentication === 'platform') return;
    for (const route of routes) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'The function checks the signature that the call carries (shared/adapters/signing/call-token.ts).',
      });
    }
  }
}
