import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { DamagedItemError, OversizedItemError } from './errors.ts';
import { maximumBodyBytes, sortKeyOf, type Item } from './items.ts';

/**
 * Content of one kind, kept as JSON text and not as a DynamoDB map: it is as readable in the console and about as large,
 * needs no marshaller, and comes back exactly as it went in, on which a byte-for-byte replay depends.
 */
export class JsonBody<Content> {
  readonly #mend: string;

  /** `mend`: how to make content smaller that is too large. */
  constructor(mend: string) {
    this.#mend = mend;
  }

  /** Throws `OversizedItemError`. */
  write(item: string, content: Content): AttributeValue {
    const text = JSON.stringify(content);
    const bytes = Buffer.byteLength(text);
    if (bytes > maximumBodyBytes) throw new OversizedItemError(item, bytes, maximumBodyBytes, this.#mend);
    return { S: text };
  }

  /** Throws `DamagedItemError`. The item's schema number vouches for the type. */
  read(item: Item): Content {
    try {
      const content: Content = JSON.parse(item['body']?.S ?? '');
      return content;
    } catch (error) {
      throw new DamagedItemError(sortKeyOf(item), error);
    }
  }
}
