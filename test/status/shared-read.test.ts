import { describe, expect, it } from 'vitest';
import { SharedRead } from '../../shared/status/shared-read.ts';
import { TestClock } from './test-clock.ts';

/** Reads that are answered when the test says so. */
function heldReads() {
  const clock = new TestClock();
  const reads: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const shared = new SharedRead(
    clock,
    () => new Promise<string>((resolve, reject) => void reads.push({ resolve, reject })),
  );
  return { clock, reads, shared };
}

describe('a shared read', () => {
  it('serves all who ask while it is under way, however long it takes', async () => {
    const { clock, reads, shared } = heldReads();
    const first = shared.get();
    clock.advance(60_000);
    const second = shared.get();
    reads[0]?.resolve('answer');
    expect(await Promise.all([first, second])).toEqual(['answer', 'answer']);
    expect(reads).toHaveLength(1);
  });

  it('serves for a second and is then made anew', async () => {
    const { clock, reads, shared } = heldReads();
    const first = shared.get();
    reads[0]?.resolve('old');
    await first;
    clock.advance(999);
    expect(await shared.get()).toBe('old');
    clock.advance(1);
    const second = shared.get();
    reads[1]?.resolve('new');
    expect(await second).toBe('new');
  });

  it('is made anew at once after it failed', async () => {
    const { reads, shared } = heldReads();
    const first = shared.get();
    reads[0]?.reject(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    const second = shared.get();
    reads[1]?.resolve('answer');
    expect(await second).toBe('answer');
  });
});
