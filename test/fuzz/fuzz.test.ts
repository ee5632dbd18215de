import { describe, expect, it } from 'vitest';
import { runBatch } from '../../fuzz/batch.ts';
import { faultKinds } from '../../fuzz/fault-kinds.ts';
import { runSeed, stepsUpTo } from '../../fuzz/run.ts';
import { shrink, whatBroke } from '../../fuzz/shrink.ts';
import { ToldStory } from '../../fuzz/story.ts';

describe('the first 100 seeds', () => {
  it('break no promise, and meet every kind of fault', async () => {
    const { broken, faults } = await runBatch({ first: 0, seeds: 100, steps: 500 });
    expect(broken).toEqual([]);
    expect(new Set(faults.map(([kind]) => kind))).toEqual(new Set(faultKinds));
  });
});

describe('a seed', () => {
  it('tells the same story to its last word when it is run again', async () => {
    const [one, other] = [new ToldStory(), new ToldStory()];
    const outcomes = [await runSeed(7, stepsUpTo(300), one), await runSeed(7, stepsUpTo(300), other)];
    expect(other.lines).toEqual(one.lines);
    expect(outcomes[0]?.digest).toBe(outcomes[1]?.digest);
  });

  it('draws the same for a step whether or not others are left out', async () => {
    const story = new ToldStory();
    await runSeed(7, [1, 2, 3], story);
    const all = new ToldStory();
    await runSeed(7, stepsUpTo(300), all);
    const before = story.lines.findIndex((line) => line.includes('faults have stopped'));
    expect(before).toBeGreaterThan(0);
    expect(all.lines.slice(0, before)).toEqual(story.lines.slice(0, before));
  });
});

describe('shrinking', () => {
  it('leaves the steps without which nothing breaks', async () => {
    const needed = [17, 101];
    const kept = await shrink(stepsUpTo(200), async (steps) => needed.every((step) => steps.includes(step)));
    expect(kept).toEqual(needed);
  });

  it('names a promise, or else the error', () => {
    expect(whatBroke(new Error('promise 3 (one id, one grant) is broken at noon'))).toBe(
      'promise 3 (one id, one grant)',
    );
    expect(whatBroke(new TypeError('no such thing'))).toBe('TypeError');
  });
});
