import type { Log } from '../shared/ports.ts';

const shownMilliseconds = 10_000;

/** A log that also remembers the last thing that went wrong, for whoever watches a run. */
export class NotedLog implements Log {
  readonly #log: Log;
  #last: { readonly text: string; readonly at: number } | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What went wrong within the last ten seconds. */
  get trouble(): string | undefined {
    return this.#last !== undefined && performance.now() - this.#last.at < shownMilliseconds
      ? this.#last.text
      : undefined;
  }

  info(message: string, fields?: Record<string, unknown>): void {
    this.#log.info(message, fields);
  }

  warn(message: string, fields: Record<string, unknown> = {}): void {
    this.#log.warn(message, fields);
    const { error } = fields;
    this.#note(typeof error === 'string' ? `${message}: ${error}` : message);
  }

  alarm(name: string, message: string, fields?: Record<string, unknown>): void {
    this.#log.alarm(name, message, fields);
    this.#note(message);
  }

  #note(text: string): void {
    // Part of it comes from the other side, and a terminal obeys control characters.
    this.#last = { text: text.replace(/\p{C}/gu, ' '), at: performance.now() };
  }
}
