import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

export interface MeteredRequest {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of the item that is read or written; a query has none. */
  readonly sortKey?: string;
}

const key = z.object({ sk: z.object({ S: z.string() }) });
const request = z.object({ Item: key.optional(), Key: key.optional() });
const answered = z.object({ ConsumedCapacity: z.object({ CapacityUnits: z.number() }) });

/** Has the database say what each request consumes, as it would bill it, and tells `onRequest`. For requests on items alone. */
export function meter(client: DynamoDBClient, onRequest: (request: MeteredRequest) => void): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const { Item, Key } = request.parse(args.input);
        const units = answered.parse(answer.output).ConsumedCapacity.CapacityUnits;
        const reads = commandName === 'GetItemCommand' || commandName === 'QueryCommand';
        const sortKey = (Item ?? Key)?.sk.S;
        onRequest({
          readUnits: reads ? units : 0,
          writeUnits: reads ? 0 : units,
          ...(sortKey === undefined ? {} : { sortKey }),
        });
        return answer;
      },
    { step: 'initialize', name: 'meter' },
  );
}
