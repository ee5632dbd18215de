import { describe, expect, it } from 'vitest';
import { DemandNotifier } from '../../onprem/demand-notifier.ts';

function newNotifier(send: () => Promise<void>) {
  const warnings: unknown[] = [];
  const log = { info: () => {}, alarm: () => {}, warn: (_: string, fields?: object) => warnings.push(fields) };
  return { notifier: new DemandNotifier({ send, log }), warnings };
}

describe('telling the site that jobs wait', () => {
  it('makes one call at a time, and one more for all that came meanwhile', async () => {
    const answers: (() => void)[] = [];
    const { notifier } = newNotifier(() => new Promise((resolve) => answers.push(resolve)));
    const all = [notifier.notify(), notifier.notify(), notifier.notify()];
    expect(answers).toHaveLength(1);

    answers[0]?.();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await Promise.all(all);
    expect(answers).toHaveLength(2);
  });

  it('logs a call that fails and does not repeat it, and makes the next one', async () => {
    let calls = 0;
    const { notifier, warnings } = newNotifier(async () => {
      calls += 1;
      throw new Error('unreachable');
    });
    await notifier.notify();
    expect(calls).toBe(1);
    expect(warnings).toEqual([{ error: 'Error: unreachable' }]);

    await notifier.notify();
    expect(calls).toBe(2);
  });
});
