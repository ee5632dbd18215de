/** What calls of a function have asked of everything that costs. */
export interface Tally {
  readonly calls: number;
  readonly databaseRequests: number;
  /** DynamoDB's read request units: 4 KB of a strongly consistent read each. */
  readonly readUnits: number;
  /** DynamoDB's write request units: 1 KB each. */
  readonly writeUnits: number;
  /** Of the written units, those of history and passes, which stay in the table. */
  readonly keptUnits: number;
  /** Calls of the controller and of providers. */
  readonly outsideCalls: number;
  /** For which a call does nothing but wait for the other side to come. */
  readonly pausedMilliseconds: number;
  readonly events: number;
  readonly logBytes: number;
}

export const nothing: Tally = {
  calls: 0,
  databaseRequests: 0,
  readUnits: 0,
  writeUnits: 0,
  keptUnits: 0,
  outsideCalls: 0,
  pausedMilliseconds: 0,
  events: 0,
  logBytes: 0,
};

export const plus = (a: Tally, b: Tally): Tally => combined((key) => a[key] + b[key]);
export const minus = (a: Tally, b: Tally): Tally => combined((key) => a[key] - b[key]);
export const times = (tally: Tally, factor: number): Tally => combined((key) => tally[key] * factor);

function combined(value: (key: keyof Tally) => number): Tally {
  return {
    calls: value('calls'),
    databaseRequests: value('databaseRequests'),
    readUnits: value('readUnits'),
    writeUnits: value('writeUnits'),
    keptUnits: value('keptUnits'),
    outsideCalls: value('outsideCalls'),
    pausedMilliseconds: value('pausedMilliseconds'),
    events: value('events'),
    logBytes: value('logBytes'),
  };
}
