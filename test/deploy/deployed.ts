/** What AWS tells of what is deployed. */
import * as z from 'zod';
import type { Aws } from './aws.ts';

const functionConfiguration = z.object({
  FunctionName: z.string(),
  FunctionArn: z.string(),
  Role: z.string(),
  Runtime: z.string(),
  Architectures: z.array(z.string()),
  Handler: z.string(),
  CodeSha256: z.string(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
  Layers: z.array(z.object({ Arn: z.string() })),
});
export type FunctionConfiguration = z.infer<typeof functionConfiguration>;

export async function functionsOf(aws: Aws, stack: string): Promise<FunctionConfiguration[]> {
  const functionList = z.object({ Functions: z.array(functionConfiguration) });
  const { Functions } = await aws.json('lambda', '/2015-03-31/functions', functionList);
  return Functions.filter(({ FunctionName }) => FunctionName.startsWith(`${stack}-`));
}

/** Base64 of the SHA-256 of each layer's archive. */
export function layerDigests(aws: Aws, { Layers }: FunctionConfiguration): Promise<string[]> {
  const layerVersion = z.object({ Content: z.object({ CodeSha256: z.string() }) });
  return Promise.all(
    Layers.map(async ({ Arn }) => {
      const [name, version] = Arn.split(':').slice(-2);
      const { Content } = await aws.json('lambda', `/2018-10-31/layers/${name}/versions/${version}`, layerVersion);
      return Content.CodeSha256;
    }),
  );
}

export interface DeployedRoute {
  /** Method and path, as API Gateway writes it. */
  readonly key: string;
  readonly authorization: string;
  /** ARN of the function. */
  readonly target: string;
}

/** Of the API that is served at `url`. */
export async function routesOf(aws: Aws, url: string): Promise<DeployedRoute[]> {
  const id = new URL(url).hostname.split('.')[0];
  const route = z.object({ routeKey: z.string(), authorizationType: z.string(), target: z.string() });
  const integration = z.object({ integrationId: z.string(), integrationUri: z.string() });
  const read = <T>(what: string, item: z.ZodType<T>) =>
    aws.json('apigateway', `/v2/apis/${id}/${what}`, z.object({ items: z.array(item) }));
  const integrations = await read('integrations', integration);
  const targets = new Map(
    integrations.items.map(({ integrationId, integrationUri }) => [`integrations/${integrationId}`, integrationUri]),
  );
  const routes = await read('routes', route);
  return routes.items.map(({ routeKey, authorizationType, target }) => ({
    key: routeKey,
    authorization: authorizationType,
    target: targets.get(target) ?? '',
  }));
}

const schedule = z.object({
  ScheduleExpression: z.string(),
  State: z.string(),
  Target: z.object({
    Arn: z.string(),
    RoleArn: z.string(),
    DeadLetterConfig: z.object({ Arn: z.string() }),
  }),
});
export type Schedule = z.infer<typeof schedule>;

export async function schedulesOf(aws: Aws): Promise<Schedule[]> {
  const names = z.object({ Schedules: z.array(z.object({ Name: z.string() })) });
  const { Schedules } = await aws.json('scheduler', '/schedules', names);
  return Promise.all(Schedules.map(({ Name }) => aws.json('scheduler', `/schedules/${Name}`, schedule)));
}
