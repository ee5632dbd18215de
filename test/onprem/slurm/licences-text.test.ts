import { describe, expect, it } from 'vitest';
import { parseLicences, usableTokens } from '../../../onprem/slurm/licences-text.ts';
import { SchedulerError } from '../../../onprem/scheduler.ts';
import { recordedText, vcs } from './recorded.ts';

describe("Slurm's licences", () => {
  it('are read with their counts, by the name that Slurm gives them', () => {
    const licences = parseLicences(recordedText('22.05.8', 'licence-lists.licences'));
    expect([...licences.keys()]).toEqual(['foreign@flex1', 'hfss@flex1', vcs]);
    expect(licences.get(vcs)).toEqual({ total: 10, used: 7, free: 3, reserved: 0, remote: true });
  });

  it('take no notice of the fields that came with 23.02', () => {
    const licences = parseLicences(recordedText('documented', '23.02.licences'));
    expect(licences.get('foobar@slurmdb')).toEqual({ total: 80, used: 0, free: 70, reserved: 0, remote: true });
    expect(licences.get('ansys')).toEqual({ total: 100, used: 2, free: 98, reserved: 0, remote: false });
  });

  it('have nothing reserved in versions without licence reservations', () => {
    const licences = parseLicences(recordedText('documented', '20.02.licences'));
    expect(licences.get('fluent')).toEqual({ total: 30, used: 0, free: 30, reserved: 0, remote: false });
  });

  it.each(['No licenses configured in Slurm.\n', ''])('are none in %j', (text) => {
    expect(parseLicences(text)).toEqual(new Map());
  });

  it.each([
    'LicenseName=vcs Total=ten Used=0 Free=10',
    'LicenseName=vcs Used=0 Free=10',
    'Total=1 Used=0 Free=1',
    'what',
  ])('are not guessed at: %s', (line) => {
    expect(() => parseLicences(line)).toThrow(SchedulerError);
  });

  it('are usable as far as nothing is reserved', () => {
    const reserved = parseLicences(recordedText('22.05.8', 'licence-reservation.licences')).get(vcs);
    expect(reserved).toMatchObject({ total: 10, used: 2, free: 8, reserved: 9 });
    expect(reserved && usableTokens(reserved)).toBe(-1);
  });
});
