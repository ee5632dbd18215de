/** What a site's API offers to its controller: the schemas are the source of docs/openapi/demand.json. */
import * as z from 'zod';
import { siteName } from './common.ts';

/** POST /v1/demand: jobs have begun to wait. It only wakes the site; how many wait for what the site asks itself. */
export const demandCall = z.object({ site: siteName });

export const demandAnswer = z.object({
  outcome: z
    .enum(['announced', 'joined'])
    .describe('announced: a pass has been called for; joined: one that begins later than this call was already'),
});
