import type { Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';

const packs = [new AwsSolutionsChecks(), new ServerlessChecks()];

/** What cdk-nag's rule packs find in a stack that is not acknowledged there with a reason. */
export function findings(stack: Stack) {
  return packs.flatMap((pack) => pack.validateScope(stack).violations);
}
