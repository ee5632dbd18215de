import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption, type ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { TableAction } from '../functions/manifest.ts';

/** A table with the keys of shared/adapters/dynamodb. It outlives its stack, and any 35 days of it can be restored. */
export class StateTable extends Construct {
  readonly table: Table | ITable;

  /** `restored`: a table to use in place of the one that is made here, which stays as it is. */
  constructor(scope: Construct, id: string, restored?: string) {
    super(scope, id);
    const made = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Of relayed calls alone: DynamoDB deletes them, as no role of ours may.
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      // With a key that DynamoDB owns: encrypted at rest, and no call to KMS is paid for.
      encryption: TableEncryption.DEFAULT,
    });
    this.table = restored === undefined ? made : Table.fromTableName(this, 'Restored', restored);
  }

  /** What a role may do with the items of one partition, and of no other. */
  statement(partition: string, actions: readonly TableAction[]): PolicyStatement {
    return new PolicyStatement({
      effect: Effect.ALLOW,
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [this.table.tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] } },
    });
  }
}
