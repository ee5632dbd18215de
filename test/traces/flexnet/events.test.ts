import { describe, expect, it } from 'vitest';
import { readFlexnetEvents } from '../../../shared/traces/flexnet/events.ts';
import { linesOf, utc } from '../support.ts';

const out = (time: string) => `${time} (ansyslmd) OUT: "aa_r" user@host  `;
const timestamp = (time: string, date: string) => `${time} (lmgrd) TIMESTAMP ${date}`;

async function times(...lines: string[]): Promise<string[]> {
  const { events } = await readFlexnetEvents(linesOf(...lines));
  return events.map(({ at }) => new Date(at).toISOString().slice(0, 19));
}

describe('events of a FlexNet debug log', () => {
  it('have the date of the line before that tells one', async () => {
    expect(
      await times(timestamp('9:00:00', '1/8/2017'), out('9:00:01'), timestamp('9:30:00', '1/11/2017'), out('9:30:00')),
    ).toEqual(['2017-01-08T09:00:01', '2017-01-11T09:30:00']);
  });

  it('have the next day after midnight, before any line tells it', async () => {
    expect(await times(timestamp('23:00:00', '12/31/2017'), out('23:59:59'), out(' 0:00:01'))).toEqual([
      '2017-12-31T23:59:59',
      '2018-01-01T00:00:01',
    ]);
  });

  it('before the first date are dated back from it', async () => {
    expect(await times(out('23:00:00'), out('1:00:00'), timestamp('2:00:00', '1/9/2017'))).toEqual([
      '2017-01-08T23:00:00',
      '2017-01-09T01:00:00',
    ]);
  });

  it('without any date begin on 1970-01-01, and the log is said to be undated', async () => {
    const { events, dated } = await readFlexnetEvents(linesOf(out('9:00:00')));
    expect(events).toMatchObject([{ at: utc('1970-01-01T09:00:00Z') }]);
    expect(dated).toBe(false);
  });

  it('are read alike with CR LF line ends', async () => {
    const lines = [timestamp('9:00:00', '1/8/2017'), out('9:00:01')];
    expect(await times(...lines.map((line) => `${line}\r`))).toEqual(await times(...lines));
  });

  it('come with the end of the log and counts of its lines', async () => {
    const lines = linesOf(
      ' ansyslmd  ansoftd  ',
      timestamp('9:00:00', '1/8/2017'),
      '',
      '9:00:01 (ansyslmd) OUT: ???',
      '9:20:00 (lmgrd) ',
    );
    expect(await readFlexnetEvents(lines)).toEqual({
      events: [],
      endsAt: utc('2017-01-08T09:20:00Z'),
      lines: 5,
      linesNotUnderstood: 2,
      dated: true,
    });
  });
});
