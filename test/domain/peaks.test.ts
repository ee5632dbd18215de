import { describe, expect, it } from 'vitest';
import { peakNeed } from '../../shared/domain/peaks.ts';
import { steady } from './builders.ts';

describe('the highest need over a window', () => {
  it('is the largest of the buckets that the window touches', () => {
    const recentPeaks = { bucketSeconds: 60, needs: [99, 7, 3, 8, 2, 1] };
    expect(peakNeed(recentPeaks, 240)).toEqual({ known: true, need: 8 });
    expect(peakNeed(recentPeaks, 300)).toEqual({ known: true, need: 99 });
  });

  it('reaches one bucket further back, because the current one has only begun', () => {
    expect(peakNeed({ bucketSeconds: 60, needs: [9, 0] }, 60)).toEqual({ known: true, need: 9 });
    expect(peakNeed({ bucketSeconds: 60, needs: [9, 0, 0] }, 60)).toEqual({ known: true, need: 0 });
  });

  it('counts a bucket that the window only begins in', () => {
    expect(peakNeed({ bucketSeconds: 60, needs: [9, 0, 0] }, 61)).toEqual({ known: true, need: 9 });
  });

  it('is not known where the series has a gap inside the window', () => {
    expect(peakNeed({ bucketSeconds: 60, needs: [0, null, 0, 0] }, 120)).toEqual({
      known: false,
      why: 'nobody looked at the need 2 min ago, which counts as used',
    });
  });

  it('does not mind a gap before the window', () => {
    expect(peakNeed({ bucketSeconds: 60, needs: [null, 5, 0, 0] }, 120)).toEqual({ known: true, need: 5 });
  });

  it('is not known where the series is too short', () => {
    expect(peakNeed(steady(0, 10), 600)).toEqual({
      known: false,
      why: 'the controller reports need of only the last 10 min',
    });
    expect(peakNeed(steady(0, 0), 60).known).toBe(false);
  });
});
