import { UpdateItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** As if a version with that schema had written the item. */
export async function setSchema(
  { client, table, site }: { client: DynamoDBClient; table: string; site: string },
  sortKey: string,
  schema: number,
): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { pk: { S: `SITE#${site}` }, sk: { S: sortKey } },
      UpdateExpression: 'SET #schema = :schema',
      ExpressionAttributeNames: { '#schema': 'schema' },
      ExpressionAttributeValues: { ':schema': { N: String(schema) } },
    }),
  );
}
