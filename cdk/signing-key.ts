import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement, type IRole } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** A private key that is put into its secret after the stack is made; until then a random text is in it. */
export class SigningKey extends Construct {
  readonly secret: Secret;

  constructor(scope: Construct, id: string, description: string) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', { description });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A new key must be in the list of each receiver before it is used: docs/deployment.md has the steps.',
    });
    const { region } = Stack.of(this);
    new CfnOutput(this, 'Put', {
      description: `Puts the key: ${description}`,
      value: `aws secretsmanager put-secret-value --region ${region} --secret-id ${this.secret.secretArn} --secret-string file://KEY.private.json`,
    });
  }

  allow(reader: IRole): void {
    reader.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secret.secretArn] }),
    );
  }

  /** Nobody else may read it, whatever other rights they have. */
  denyAllBut(readers: readonly IRole[]): void {
    this.secret.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['secretsmanager:GetSecretValue'],
        // In the policy of a secret: this secret.
        resources: ['*'],
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': readers.map(({ roleArn }) => roleArn) } },
      }),
    );
  }
}
