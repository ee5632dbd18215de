import { mkdtempSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { readSite } from '../../cdk/deployable-site.ts';
import { SiteStack } from '../../cdk/site-stack.ts';
import { newFolder } from '../local/made-site.ts';

const context = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(await readFile('cdk.json', 'utf8'))).context;

/** An app as the command runs it, with a cloud assembly that lasts as long as the test. */
export function newApp(): App {
  const outdir = mkdtempSync(join(tmpdir(), 'esr-cdk-'));
  onTestFinished(() => rm(outdir, { recursive: true }));
  return new App({ outdir, context, analyticsReporting: false, builtinCloudFormationValidation: false });
}

const unchanged = (text: string): string => text;

/** The stack of sites/austin.yaml, with `change` made to its text. */
export async function austinStack(change: (text: string) => string = unchanged): Promise<SiteStack> {
  const folder = await newFolder();
  await cp('sites', folder, { recursive: true });
  const file = join(folder, 'austin.yaml');
  await writeFile(file, change(await readFile(file, 'utf8')));
  return new SiteStack(newApp(), await readSite(file));
}

const templates = new Map<(text: string) => string, Promise<Template>>();

/** Made once for each change: a template is only looked at. */
export function austinTemplate(change: (text: string) => string = unchanged): Promise<Template> {
  const known = templates.get(change) ?? austinStack(change).then((stack) => Template.fromStack(stack));
  templates.set(change, known);
  return known;
}

/** With everything that a site file may ask for. */
export const everySetting = (text: string): string =>
  text.replace(
    'deploy:\n',
    `deploy:
  account: '111122223333'
  vpc: { subnets: [subnet-0a1b, subnet-2c3d], securityGroups: [sg-4e5f] }
  jwt: { issuer: https://login.example.com, audience: [readers] }
  alarmTopic: arn:aws:sns:us-east-1:111122223333:operations
`,
  );

export const poolRole = 'arn:aws:iam::444455556666:role/burst-austin';

/** With a provider behind IAM, as a deployed pool is. */
export const poolBehindIam = (text: string): string =>
  text.replace(
    'url: https://pool.example.com\n',
    `url: https://pool.example.com
    auth: { kind: iam, region: us-east-1, roleArn: '${poolRole}', externalId: burst-austin }
`,
  );

/** With a controller that fetches its calls. */
export const pulled = (text: string): string =>
  text.replace(/  url: https:\/\/controller\.\S+\n/, '  delivery: pull\n');
