/** One line of the table. */
export interface Row {
  readonly measure: string;
  /** Counts and ratios where possible: times are the machine's as much as ours. */
  readonly figure: string;
  /** Absent: the figure is for information. */
  readonly target?: string;
  readonly isMissed?: boolean;
  readonly how: string;
}

export interface Benchmark {
  readonly name: string;
  run(): Promise<readonly Row[]>;
}

/** A figure with its upper limit. */
export function atMost(value: number, limit: number, show: (value: number) => string): Omit<Row, 'measure' | 'how'> {
  return { figure: show(value), target: `≤ ${show(limit)}`, isMissed: value > limit };
}

/** A figure that has one right value. */
export function exactly(value: number, target: number): Omit<Row, 'measure' | 'how'> {
  return { figure: String(value), target: String(target), isMissed: value !== target };
}
