import type { Log } from '../ports.ts';

/** One JSON object a line, as log services read it. Names come from outside, so JSON keeps them from forging lines. */
export class JsonLog implements Log {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  info(message: string, fields: Record<string, unknown> = {}): void {
    this.#line('INFO', message, fields);
  }

  warn(message: string, fields: Record<string, unknown> = {}): void {
    this.#line('WARN', message, fields);
  }

  alarm(name: string, message: string, fields: Record<string, unknown> = {}): void {
    this.#line('ALARM', message, { alarm: name, ...fields });
  }

  #line(level: string, message: string, fields: Record<string, unknown>): void {
    this.#write(visibly(JSON.stringify({ level, message, ...fields })));
  }
}

/** JSON escapes line ends, but not what turns the direction of a line about or is not seen in it. */
function visibly(json: string): string {
  return json.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
