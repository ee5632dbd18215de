import { describe, expect, it } from 'vitest';
import { Turns } from '../../shared/pool/turns.ts';

/** Work that notes its start and its end, and ends only when it is told to. */
class Work {
  readonly #gate: Promise<void>;
  #open: () => void = () => undefined;
  readonly #name: string;
  readonly #notes: string[];

  constructor(name: string, notes: string[]) {
    this.#name = name;
    this.#notes = notes;
    this.#gate = new Promise((resolve) => (this.#open = resolve));
  }

  readonly run = async (): Promise<string> => {
    this.#notes.push(`${this.#name} begins`);
    await this.#gate;
    this.#notes.push(`${this.#name} ends`);
    return this.#name;
  };

  end(): void {
    this.#open();
  }
}

describe('work in turns', () => {
  it('on one resource waits for what was given before', async () => {
    const turns = new Turns();
    const notes: string[] = [];
    const [first, second] = [new Work('first', notes), new Work('second', notes)];
    const done = Promise.all([turns.take('hfsshpc', first.run), turns.take('hfsshpc', second.run)]);
    second.end();
    first.end();
    expect(await done).toEqual(['first', 'second']);
    expect(notes).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('on another resource does not wait', async () => {
    const turns = new Turns();
    const notes: string[] = [];
    const [first, other] = [new Work('first', notes), new Work('other', notes)];
    const late = turns.take('hfsshpc', first.run);
    other.end();
    expect(await turns.take('hfss_solve', other.run)).toBe('other');
    expect(notes).toEqual(['first begins', 'other begins', 'other ends']);
    first.end();
    expect(await late).toBe('first');
  });

  it('goes on after work that failed', async () => {
    const turns = new Turns();
    const failed = turns.take('hfsshpc', async () => Promise.reject(new Error('first')));
    const next = turns.take('hfsshpc', async () => 'second');
    await expect(failed).rejects.toThrow('first');
    expect(await next).toBe('second');
  });
});
