/** The AWS calls that are in a function's artefact, as its role's actions. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const metafile = z.object({
  outputs: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) })),
});

/** How IAM names the services whose clients may be in an artefact. */
const services: Readonly<Record<string, string>> = {
  dynamodb: 'dynamodb',
  eventbridge: 'events',
  'secrets-manager': 'secretsmanager',
};

/** In every DynamoDB client, and only called where endpoint discovery is switched on. */
const neverCalled = 'dynamodb:DescribeEndpoints';

/**
 * From what esbuild says is in the artefact: code that nothing can reach is left out of it, and each call of the SDK has a
 * file of its own. Clients inside the SDK (of STS and SSO, for people's own credentials) are no packages of ours.
 */
export async function awsCalls(name: string): Promise<string[]> {
  const { outputs } = metafile.parse(JSON.parse(await readFile('dist/functions.meta.json', 'utf8')));
  const output = outputs[`dist/functions/${name}/index.mjs`];
  if (output === undefined) throw new Error(`looking into the artefact of ${name}: build it with "npm run build"`);
  const inputs = Object.keys(output.inputs).filter((file) => (output.inputs[file]?.bytesInOutput ?? 0) > 0);
  return inputs
    .flatMap(actionOf)
    .filter((action) => action !== neverCalled)
    .sort();
}

function actionOf(file: string): string[] {
  if (file.endsWith('shared/adapters/provider/assumed-role.ts')) return ['sts:AssumeRole'];
  const [, client, command] = /@aws-sdk\/client-([a-z-]+)\/dist-es\/commands\/(\w+)Command\.js$/.exec(file) ?? [];
  if (client === undefined || command === undefined) return [];
  const service = services[client];
  if (service === undefined) throw new Error(`looking for AWS calls: name the IAM service of the client ${client}`);
  return [`${service}:${command}`];
}
