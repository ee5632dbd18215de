import type { LiveStatus, Started } from '../shared/local/run-locally.ts';
import { rfc3339 } from '../shared/status/rfc3339.ts';
import { cut, statusTable } from './live-table.ts';

/** Shows a local run: a table that is drawn anew on a terminal, lines where something changed elsewhere, or JSON. */
export class Display {
  readonly #json: boolean;
  readonly #stream: NodeJS.WriteStream;
  /** Whether the stream can be drawn on again. */
  readonly #redraws: boolean;
  #drawn: readonly string[] = [];
  #last = '';

  constructor({ json, stream }: { json: boolean; stream: NodeJS.WriteStream }) {
    this.#json = json;
    this.#stream = stream;
    this.#redraws = stream.isTTY && process.env['TERM'] !== 'dumb';
  }

  begin(started: Started): void {
    if (this.#json) return this.#line(JSON.stringify({ started }));
    const { url, controllerUrl, engine, directory, speed, continued } = started;
    this.#line(
      [
        `Status API   ${url}/v1/resources`,
        `Controller   ${controllerUrl}`,
        `Data         ${directory} (${engine}${continued ? ', going on from an earlier run' : ''})`,
        `Speed        ${speed} s of the site a second`,
        '',
        `Try          curl ${url}/v1/resources`,
        `             curl ${url}/v1/resources/NAME/history`,
        `Ctrl-C stops; the same command goes on from there. To begin again, remove ${directory}.`,
        '',
      ].join('\n'),
    );
  }

  show({ at, jobsLeft, ...list }: LiveStatus, trouble?: string): void {
    if (this.#json) return this.#line(JSON.stringify({ at: rfc3339(at), ...list, ...(trouble && { trouble }) }));
    const width = this.#stream.columns ?? 200;
    const title = cut(
      `${list.site}  ${rfc3339(at).slice(0, 19)}Z  ${jobsLeft > 0 ? `${jobsLeft} jobs to come` : ''}`,
      width,
    );
    const figures = statusTable(list.resources, width);
    const table = trouble === undefined ? figures : `${figures}\n${cut(`! ${trouble}`, width)}`;
    if (this.#redraws) this.#redraw(`${title}\n${table}`.split('\n'));
    else if (table !== this.#last) {
      this.#last = table;
      this.#line(`${title}\n${table}\n`);
    }
  }

  end(): void {
    if (!this.#json && this.#redraws) this.#line('');
  }

  #redraw(lines: readonly string[]): void {
    const { columns, rows } = this.#stream;
    // A terminal that was made narrower has wrapped what was drawn; one can't go up beyond its first row.
    const up = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    this.#drawn = lines.slice(0, rows - 1);
    this.#stream.write(`${up > 0 ? `\u001b[${up}A` : ''}\u001b[J${this.#drawn.join('\n')}\n`);
  }

  #line(text: string): void {
    this.#stream.write(`${text}\n`);
  }
}
