import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Instant } from '../../domain/model.ts';
import {
  clockErrorMilliseconds,
  demandWindowMilliseconds,
  type DemandAnswer,
  type DemandWindow,
} from '../demand-window.ts';
import { demandKey, sitePartition, type Item } from './items.ts';
import { broughtForward, stamped } from './schema.ts';

/**
 * The window as one item, which holds the start of the latest pass that anybody was told to start, in the past or up
 * to a window in the future. One conditional update for the first call, two for the others; no reads where the engine
 * tells what stood in the way. Throws `NewerSchemaError` and the SDK's errors.
 */
export class DynamoDemandWindow implements DemandWindow {
  readonly #client: DynamoDBClient;
  readonly #item: { readonly TableName: string; readonly Key: Item };

  constructor({ client, table, site }: { client: DynamoDBClient; table: string; site: string }) {
    this.#client = client;
    this.#item = { TableName: table, Key: { pk: { S: sitePartition(site) }, sk: { S: demandKey } } };
  }

  async enter(now: Instant): Promise<DemandAnswer> {
    const first = await this.#update({
      ConditionExpression: 'attribute_not_exists(pk) OR startsAt <= :windowAgo OR startsAt > :clockError',
      UpdateExpression: 'SET startsAt = :now',
      ExpressionAttributeValues: {
        ':now': number(now),
        ':windowAgo': number(now - demandWindowMilliseconds),
        ':clockError': number(now + clockErrorMilliseconds),
      },
    });
    if (first !== undefined) return 'first';
    // From here on the start is later than a window ago, since it only grows: the window is open, or its next has been claimed.
    const joinAt = await this.#update({
      ConditionExpression: 'startsAt <= :now',
      UpdateExpression: 'SET startsAt = startsAt + :window',
      ExpressionAttributeValues: { ':now': number(now), ':window': number(demandWindowMilliseconds) },
    });
    return joinAt === undefined ? 'joined' : { joinAt };
  }

  /** The start that the update has set; `undefined` when its condition did not hold. */
  async #update(update: {
    ConditionExpression: string;
    UpdateExpression: string;
    ExpressionAttributeValues: Record<string, AttributeValue>;
  }): Promise<Instant | undefined> {
    const caller = randomUUID();
    try {
      const { Attributes } = await this.#client.send(
        new UpdateItemCommand({
          ...this.#item,
          ConditionExpression: `(attribute_not_exists(#schema) OR #schema <= :schema) AND (${update.ConditionExpression})`,
          UpdateExpression: `${update.UpdateExpression}, caller = :caller, #schema = :schema`,
          ExpressionAttributeNames: { '#schema': 'schema' },
          ExpressionAttributeValues: {
            ...update.ExpressionAttributeValues,
            ':caller': { S: caller },
            ':schema': schema,
          },
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return Number(Attributes?.['startsAt']?.N);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const standing = error.Item ?? (await this.#read());
      if (standing === undefined) return undefined;
      // A second try may have failed on its own first one's success; then the pass is ours to start.
      const { caller: winner, startsAt } = broughtForward(standing);
      return winner?.S === caller ? Number(startsAt?.N) : undefined;
    }
  }

  /** Not every engine returns the item with the failure. */
  async #read(): Promise<Item | undefined> {
    const { Item: item } = await this.#client.send(new GetItemCommand({ ...this.#item, ConsistentRead: true }));
    return item;
  }
}

const { schema } = stamped({ sk: { S: demandKey } });

const number = (value: number): AttributeValue => ({ N: String(value) });
