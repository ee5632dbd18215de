import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { HttpMethod, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { AccountPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import * as z from 'zod';
import { siteRoutes } from '../functions/pool-manifest.ts';

const joinedParts = z.object({
  'Fn::Join': z.tuple([z.literal(''), z.array(z.union([z.string(), z.object({ Ref: z.string() })]))]),
});

export interface SiteRoleProps {
  readonly site: string;
  /** The site's own, which says which of its roles may assume this one. */
  readonly account: string;
  /** Without it the site's account could be made to call for somebody else (the confused deputy). */
  readonly externalId: string;
  readonly api: HttpApi;
}

/**
 * What a site assumes to call the pool from its own account, with its ARN as an output of the stack. It may call all of
 * the contract but what is the operator's. Paths name no site: that a site sees its own grants alone is for the
 * signature that each call carries.
 */
export class SiteRole extends Construct {
  constructor(scope: Construct, id: string, { site, account, externalId, api }: SiteRoleProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: `Site ${site} calls the pool`,
      assumedBy: new AccountPrincipal(account),
      externalIds: [externalId],
    });
    const resources = siteRoutes.map(({ method, path }) =>
      api.arnForExecuteApi(HttpMethod[method], path.replace('{id}', '*'), '$default'),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['execute-api:Invoke'], resources }));
    const reason = 'The wildcard in a path stands for the id of a grant, which the site makes with each loan.';
    const ids = resources.map((arn) => `AwsSolutions-IAM5[Resource::${this.#inWords(arn)}]`);
    Validations.of(role).acknowledge(...ids.map((id) => ({ id, reason })));
    new CfnOutput(this, 'RoleArn', { description: `Role of site ${site}, for its site file`, value: role.roleArn });
  }
  /** An ARN as cdk-nag names it in its findings. */
  #inWords(arn: string): string {
    const { 'Fn::Join': joined } = joinedParts.parse(Stack.of(this).resolve(arn));
    return joined[1].map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
  }
}
