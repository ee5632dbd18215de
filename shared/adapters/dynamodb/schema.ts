/**
 * The schema number of an item says how its content is to be read. Every item is stamped and checked here: an older one
 * is brought forward when it is read, and so is written forward with its next write; a newer one is refused.
 */
import { NewerSchemaError } from './errors.ts';
import { sortKeyOf, type Item } from './items.ts';

/** Brings an item from one schema to the next. Pure, and of no other schemas than these two. */
export type Upgrade = (item: Item) => Item;

/**
 * The steps from schema 1 on, by kind of item: what its sort key begins with. What is written has the schema that the
 * last step leads to. A step is added when content changes in a way that older code would misread, and never removed.
 */
const upgrades: Readonly<Record<string, readonly Upgrade[]>> = {
  ANSWER: [],
  CALL: [],
  DEMAND: [],
  GRANT: [],
  HISTORY: [],
  PASS: [],
  PROVIDER: [],
  PROVISION: [],
  RESOURCE: [],
  SHELF: [],
};

/** The item with the number of the schema that this code writes. */
export function stamped(item: Item, steps: readonly Upgrade[] = stepsOf(item)) {
  return { ...item, schema: { N: String(steps.length + 1) } };
}

/** The item as this code would have written it. Throws `NewerSchemaError`. */
export function broughtForward(item: Item, steps: readonly Upgrade[] = stepsOf(item)): Item {
  const schema = schemaOf(item);
  const newest = steps.length + 1;
  if (schema > newest) throw new NewerSchemaError(sortKeyOf(item), schema, newest);
  return steps.slice(schema - 1).reduce((older, step) => step(older), item);
}

/** The first schema had no number on every item. */
function schemaOf(item: Item): number {
  return Number(item['schema']?.N ?? 1);
}

function stepsOf(item: Item): readonly Upgrade[] {
  const [kind = ''] = sortKeyOf(item).split('#');
  return upgrades[kind] ?? [];
}
