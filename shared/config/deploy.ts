/** How and where a site is deployed to AWS. */
import * as z from 'zod';
import { awsAccount, awsRegion } from './aws.ts';

/** What CloudWatch Logs accepts. */
const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const jwt = z.strictObject({
  issuer: z
    .url({ protocol: /^https$/, error: 'an https URL' })
    .describe('Issuer of the tokens, as their claim iss has it'),
  audience: z.array(z.string().min(1, 'a name')).min(1).describe('Values of the claim aud, of which a token needs one'),
});

const vpc = z.strictObject({
  subnets: z
    .array(z.string().regex(/^subnet-[0-9a-f]+$/, 'the id of a subnet'))
    .min(1)
    .describe('Ids of the subnets, in two availability zones at the best; they need ways to the controller and to AWS'),
  securityGroups: z
    .array(z.string().regex(/^sg-[0-9a-f]+$/, 'the id of a security group'))
    .min(1)
    .describe('Ids of the security groups of the functions; they must let calls out'),
});

export const deploy = z.strictObject({
  account: awsAccount.exactOptional().describe('AWS account to deploy to; left out, that of the caller'),
  region: awsRegion.exactOptional().describe('AWS region to deploy to; left out, that of the caller'),
  vpc: vpc.exactOptional().describe('Where the functions run that call the controller; left out, outside any VPC'),
  jwt: jwt
    .exactOptional()
    .describe('Who signs the tokens that readers of the status API show; left out, readers sign with IAM'),
  alarmTopic: z
    .string()
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]+$/, 'the ARN of an SNS topic')
    .exactOptional()
    .describe('ARN of the SNS topic that alarms go to; left out, they only show in CloudWatch'),
  restoredTable: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{3,255}$/, 'the name of a DynamoDB table')
    .exactOptional()
    .describe('Table, restored from a backup, to go on with in place of the one that the stack made'),
  dashboard: z.boolean().default(true).describe('Whether to make a CloudWatch dashboard'),
  logRetentionDays: z.literal(retentionDays).default(30).describe('How long logs are kept'),
  tags: z
    .record(
      z.string().regex(/^(?!aws:).{1,128}$/, 'a tag of 1 to 128 characters that does not begin with aws:'),
      z.string().max(256),
    )
    .default({})
    .describe('Tags of everything that is deployed'),
});
