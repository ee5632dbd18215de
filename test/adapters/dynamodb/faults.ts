import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What happens to one call: `died` ends the caller, `unanswered` makes the SDK try again. */
export type Fault = 'died before it was sent' | 'died before the answer' | 'unanswered';

/**
 * Puts faults into the calls of one command, in their order; `undefined` and every call after the last are healthy.
 * `meanwhile` runs after an unanswered call has been done and before the SDK tries again.
 */
export function injectFaults(
  client: DynamoDBClient,
  commandName: string,
  faults: readonly (Fault | undefined)[],
  meanwhile: () => Promise<unknown> = async () => undefined,
): void {
  let calls = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context['commandName'] !== commandName) return next(args);
      const fault = faults[calls++];
      if (fault === 'died before it was sent') throw new Error(fault);
      const answer = await next(args);
      if (fault === 'died before the answer') throw new Error(fault);
      if (fault === 'unanswered') {
        await meanwhile();
        throw Object.assign(new Error(fault), { name: 'TimeoutError' });
      }
      return answer;
    },
    // Inside the SDK's retries.
    { step: 'deserialize', priority: 'low' },
  );
}

/** Notes every call by name and input. */
export function noteCalls(client: DynamoDBClient): { name: string; input: object }[] {
  const calls: { name: string; input: object }[] = [];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      calls.push({ name: String(context['commandName']), input: args.input });
      return next(args);
    },
    { step: 'initialize' },
  );
  return calls;
}
