/** What a site's API offers to its operators: the schemas are the source of docs/openapi/freeze.json. */
import * as z from 'zod';
import { identifier, isoTime } from './common.ts';

/** PUT /v1/freeze; DELETE takes it back. */
export const freezeState = z
  .object({ since: isoTime, by: identifier.describe('Subject of the key of the operator whose word it is') })
  .describe('Nothing more is borrowed for the site; what is lent is returned as ever');
