/** The local database could not be started, or has ended by itself; the message says which, why and what to do. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
