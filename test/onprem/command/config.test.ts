import { describe, expect, it } from 'vitest';
import { commandSettings } from '../../../onprem/command/config.ts';

const least = { kind: 'command', look: ['/opt/esr/look'], setTotal: ['/opt/esr/set-total', '-v'], settle: '15s' };

function faultsOf(settings: unknown): string[] {
  const issues = commandSettings.safeParse(settings).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the settings of a command scheduler', () => {
  it('need the programs and how it settles; times have defaults', () => {
    expect(commandSettings.parse(least)).toEqual({ ...least, uncertainFor: '1m', programTimeout: '10s' });
  });

  it('may name a program that waits until it has settled', () => {
    expect(faultsOf({ ...least, settle: ['/opt/esr/settle'] })).toEqual([]);
  });

  it('have no default for how it settles, as a time that is too short lends tokens twice', () => {
    const { settle: _, ...rest } = least;
    expect(faultsOf(rest)).toEqual(['settle: a duration such as 15s, or a list of a program and its arguments']);
  });

  it('say how a program is written', () => {
    expect(faultsOf({ ...least, look: '/opt/esr/look' })).toEqual([
      'look: a list of a program and its arguments, such as [/opt/esr/look]',
    ]);
    expect(faultsOf({ ...least, look: [] })).toEqual(['look.0: a program']);
  });
});
