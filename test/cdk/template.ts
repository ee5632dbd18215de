/** Looking into a template. */
import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';

/** Templates write a list of one as its element. */
const listOf = <T>(item: z.ZodType<T>) => z.union([z.array(item), item.transform((one) => [one])]);

const statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: listOf(z.string()),
  Resource: listOf(z.unknown()),
  Condition: z.unknown().optional(),
});
export type Statement = z.output<typeof statement>;

const policy = z.object({
  Properties: z.object({
    Roles: z.array(z.object({ Ref: z.string() })),
    PolicyDocument: z.object({ Statement: z.array(statement) }),
  }),
});
const lambda = z.object({
  Properties: z.object({
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
    Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
  }),
});

/** Everything that the role of this function of the site austin may or may not do. */
export function statementsOf(template: Template, name: string): readonly Statement[] {
  const role = functionOf(template, name).Role['Fn::GetAtt'][0];
  return Object.values(z.record(z.string(), policy).parse(template.findResources('AWS::IAM::Policy')))
    .filter(({ Properties: { Roles } }) => Roles.some(({ Ref }) => Ref === role))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}

export function environmentOf(template: Template, name: string): Readonly<Record<string, unknown>> {
  return functionOf(template, name).Environment.Variables;
}

function functionOf(template: Template, name: string) {
  const FunctionName = `esr-austin-${name}`;
  const found = Object.values(template.findResources('AWS::Lambda::Function', { Properties: { FunctionName } }));
  return z.tuple([lambda]).parse(found)[0].Properties;
}

/** The logical id of the one resource of a type whose construct's path begins so. */
export function idOf(template: Template, type: string, beginning: string): string {
  const ids = Object.keys(template.findResources(type)).filter((id) => id.startsWith(beginning));
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0)
    throw new Error(`looking for ${beginning}: found ${ids.length} of ${type}`);
  return id;
}
