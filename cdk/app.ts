/**
 * One file is one stack: `npx cdk deploy -c site=sites/austin.yaml`, or `-c pool=pools/burst.yaml`. Where none is named,
 * every file of `sites/` and `pools/` is a stack.
 */
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { loadPoolFile } from '../shared/config/load-pool.ts';
import { readSite } from './deployable-site.ts';
import { PoolStack } from './pool-stack.ts';
import { SiteStack } from './site-stack.ts';
import { stackFiles } from './stack-files.ts';

// The built-in validation takes longer than all the rest; CI lints the templates by the same rules.
const app = new App({ builtinCloudFormationValidation: false });
const named = (kind: string) => z.string().optional().parse(app.node.tryGetContext(kind));
const { sites, pools } = await stackFiles({ site: named('site'), pool: named('pool') });
for (const file of sites) new SiteStack(app, await readSite(file));
for (const file of pools) new PoolStack(app, await loadPoolFile(file));
