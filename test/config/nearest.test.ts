import { describe, expect, it } from 'vitest';
import { oneOf } from '../../shared/config/nearest.ts';

describe('the known names', () => {
  it.each([
    ['maxSteps', 'one letter too many'],
    ['maxStp', 'one letter too few'],
    ['maxSetp', 'two letters swapped'],
    ['maxstep', 'another case'],
  ])('hold the one that %s was meant to be: %s', (written) => {
    expect(oneOf(['maxBorrowed', 'maxStep'], written)).toBe('maxStep (did you mean this?)');
  });

  it('offer the nearest of several near ones', () => {
    expect(oneOf(['hfss_solve', 'hfss_solver'], 'hfss_solvers')).toBe('hfss_solver (did you mean this?)');
  });

  it('are all named where none is near', () => {
    expect(oneOf(['day', 'month'], 'year')).toBe('one of day, month');
    expect(oneOf(['ab', 'cd'], 'xy')).toBe('one of ab, cd');
    expect(oneOf(['day', 'month'], 7)).toBe('one of day, month');
    expect(oneOf(['pool'], 'warehouse')).toBe('pool');
    expect(oneOf([], 'anything')).toBe('none');
  });

  it('are cut short where they are many', () => {
    const names = Array.from({ length: 15 }, (_, index) => `resource${index}`);
    expect(oneOf(names, undefined)).toMatch(/^one of resource0, .*, resource11 and 3 more$/);
  });
});
