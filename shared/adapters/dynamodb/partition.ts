import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from './items.ts';
import { PartitionReader } from './partition-reader.ts';
import { stamped } from './schema.ts';

/** A partition that is also written. */
export class Partition extends PartitionReader {
  async put(sortKey: string, attributes: Item): Promise<void> {
    await this.client.send(new PutItemCommand({ TableName: this.table, Item: this.#item(sortKey, attributes) }));
  }

  /**
   * Puts the item in place of the one with `previousVersion`; `undefined`: in place of none. Answers what stands in the
   * way, or `undefined` when the item was put.
   */
  async putUnless(sortKey: string, previousVersion: number | undefined, attributes: Item): Promise<Item | undefined> {
    const writeId = randomUUID();
    try {
      await this.client.send(
        new PutItemCommand({
          TableName: this.table,
          Item: this.#item(sortKey, { ...attributes, writeId: { S: writeId } }),
          ...(previousVersion === undefined
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : {
                ConditionExpression: 'version = :previous',
                ExpressionAttributeValues: { ':previous': { N: String(previousVersion) } },
              }),
        }),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The answer to a first try may have been lost, and the SDK's second try then fails on the first one's success.
      // Read, because not every engine returns the item with the failure. If yet another write has replaced ours, that
      // one stands in the way: the caller reads again, which is right then too.
      const standing = await this.get(sortKey);
      return standing?.['writeId']?.S === writeId ? undefined : (standing ?? {});
    }
  }

  #item(sortKey: string, attributes: Item): Item {
    return stamped({ ...this.key(sortKey), ...attributes });
  }
}
