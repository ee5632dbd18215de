/** A part of the lab did not do what was asked; where a daemon has ended by itself, the message holds the end of its log. */
export class SlurmLabError extends Error {
  override readonly name = 'SlurmLabError';
}
