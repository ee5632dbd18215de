import { Argument, type Command } from 'commander';
import * as z from 'zod';
import { resourcesFile } from '../../shared/config/resource.ts';
import { siteFile } from '../../shared/config/schema.ts';

const schemas = { site: siteFile, resources: resourcesFile };

/** Adds `schema`. */
export function registerSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of a site file, for an editor to complete and explain its keys by')
    .addArgument(
      new Argument('[file]', 'the site file, or the resources file that it may name')
        .choices(Object.keys(schemas))
        .default('site'),
    )
    .action(printSchema);
}

function printSchema(file: keyof typeof schemas): void {
  const schema = z.toJSONSchema(schemas[file], { io: 'input', target: 'draft-2020-12' });
  console.log(JSON.stringify(schema, undefined, 2));
}
