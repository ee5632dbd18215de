import type { LiveStatus, Started } from '../shared/local/run-locally.ts';
import { rfc3339 } from '../shared/status/rfc3339.ts';
import { statusTable } from './live-table.ts';

/** Shows a local run: a table that is drawn anew on a terminal, lines where something changed elsewhere, or JSON. */
export class Display {
  readonly #json: boolean;
  readonly #stream: NodeJS.WriteStream;
  #drawn = 0;
  #last = '';

  constructor({ json, stream }: { json: boolean; stream: NodeJS.WriteStream }) {
    this.#json = json;
    this.#stream = stream;
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
    const figures = statusTable(list.resources, width);
    const table = trouble === undefined ? figures : `${figures}\n! ${trouble.slice(0, width - 2)}`;
    const title = `${list.site}  ${rfc3339(at).slice(0, 19)}Z  ${jobsLeft > 0 ? `${jobsLeft} jobs to come` : ''}`;
    if (this.#stream.isTTY) {
      const up = this.#drawn > 0 ? `\u001b[${this.#drawn}A\u001b[J` : '';
      const text = `${title}\n${table}\n`;
      this.#drawn = text.split('\n').length - 1;
      this.#stream.write(up + text);
    } else if (table !== this.#last) {
      this.#last = table;
      this.#line(`${title}\n${table}\n`);
    }
  }

  end(): void {
    if (!this.#json && this.#stream.isTTY) this.#stream.write('\n');
  }

  #line(text: string): void {
    this.#stream.write(`${text}\n`);
  }
}
