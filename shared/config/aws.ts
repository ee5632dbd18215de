/** Names that AWS gives, as people write them in files. */
import * as z from 'zod';

export const awsRegion = z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region, such as eu-central-1');

/** A number in YAML loses its leading zeros, so it is a text. */
export const awsAccount = z.string().regex(/^\d{12}$/, 'an account id: 12 digits in quotes');

/** As AssumeRole takes it (STS, AssumeRole, ExternalId). */
export const externalId = z
  .string()
  .regex(/^[\w+=,.@:/-]{2,1224}$/, 'an external id of 2 to 1224 letters, digits and _ + = , . @ : / -');
