/** A newer version of this project wrote the item; reading it as if we knew it could lose tokens. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
  readonly item: string;
  readonly schema: number;
  readonly knownSchema: number;

  constructor(item: string, schema: number, knownSchema: number) {
    super(
      `reading ${item}: it has schema ${schema}, and this version knows schemas up to ${knownSchema}. ` +
        `Deploy the newer version again.`,
    );
    this.item = item;
    this.schema = schema;
    this.knownSchema = knownSchema;
  }
}

/** The item has no content that can be read: somebody changed the table by hand, or it holds other data. */
export class DamagedItemError extends Error {
  override readonly name = 'DamagedItemError';
  readonly item: string;

  constructor(item: string, cause: unknown) {
    super(`reading ${item}: its content is missing or damaged. Restore the item from a point-in-time recovery.`, {
      cause,
    });
    this.item = item;
  }
}

/** Refused before it was sent, so nothing was changed. */
export class OversizedItemError extends Error {
  override readonly name = 'OversizedItemError';
  readonly item: string;
  readonly bytes: number;
  readonly maximumBytes: number;

  constructor(item: string, bytes: number, maximumBytes: number, mend: string) {
    super(`writing ${item}: it has ${bytes} bytes, and at most ${maximumBytes} may be stored. ${mend}`);
    this.item = item;
    this.bytes = bytes;
    this.maximumBytes = maximumBytes;
  }
}
