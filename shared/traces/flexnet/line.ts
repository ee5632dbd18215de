/**
 * One line of a FlexNet debug log: `h:mm:ss (daemon) message`, the hour padded with a space. The messages are listed in
 * the FlexNet Publisher License Administration Guide, "Debug Log Messages".
 */
import { resourceName } from '../../contracts/common.ts';
import type { Instant, Tokens } from '../../domain/model.ts';
import type { LicenceEvent, UsageEvent } from '../licence-event.ts';

export interface LogLine {
  readonly secondOfDay: number;
  /** `lmgrd` or the name of a vendor daemon. */
  readonly daemon: string;
  readonly message: string;
}

const logLine = /^\s*(?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d) \((?<daemon>[^)]+)\)(?: (?<message>.*))?$/;

/** `undefined`: the text is no line of a debug log. */
export function parseLogLine(text: string): LogLine | undefined {
  const { hour, minute, second, daemon, message = '' } = logLine.exec(text.trimEnd())?.groups ?? {};
  if (daemon === undefined) return undefined;
  const secondOfDay = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  return { secondOfDay, daemon, message };
}

/** lmgrd and every vendor daemon write one each six hours. */
const timestamp = /^TIMESTAMP (?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/;
const systemDate =
  /(?:^Server's System Date and Time|-SLOG@\) (?:Start-Date|Time)): \w{3} (?<monthName>\w{3}) (?<day>\d\d?) (?<year>\d{4}) /;
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Midnight of the day that a message names. Of other dates in a log (a peak weeks ago) nothing is taken. */
export function dateIn(message: string): Instant | undefined {
  const groups = (timestamp.exec(message) ?? systemDate.exec(message))?.groups;
  if (groups === undefined) return undefined;
  const month = groups.monthName === undefined ? Number(groups.month) : monthNames.indexOf(groups.monthName) + 1;
  if (month < 1 || month > 12) return undefined;
  return Date.UTC(Number(groups.year), month - 1, Number(groups.day));
}

const usage = /^(?<word>OUT|IN|DENIED): "(?<feature>[^"]+)" (?<user>\S.*?@\S+)(?<rest>.*)$/;
const quantity = /\((?<tokens>\d+) licenses?\)/;
const kinds = new Map<string, UsageEvent['kind']>([
  ['OUT', 'out'],
  ['IN', 'in'],
  ['DENIED', 'denied'],
]);
/** The first line of a vendor daemon's process, also when lmgrd has restarted it. */
const daemonBanner = /^FLEX(?:net|lm)(?: Licensing)? version /i;

/** `not-understood`: it begins as an event does and goes on as none does. `undefined`: it tells of something else. */
export function eventIn(line: LogLine, at: Instant): LicenceEvent | 'not-understood' | undefined {
  const { daemon, message } = line;
  if (daemonBanner.test(message)) return { at, kind: 'start', daemon };
  if (!/^(?:OUT|IN|DENIED):/.test(message)) return undefined;
  const { word = '', feature, user, rest = '' } = usage.exec(message)?.groups ?? {};
  const kind = kinds.get(word);
  const name = resourceName.safeParse(feature);
  const tokens: Tokens = Number(quantity.exec(rest)?.groups?.tokens ?? 1);
  if (kind === undefined || user === undefined || !name.success || tokens === 0) return 'not-understood';
  return { at, kind, feature: name.data, tokens, user, daemon };
}
