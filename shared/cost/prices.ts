/**
 * What AWS charges in us-east-1, without taxes, discounts and what it gives each account free of charge. A price that
 * changes is changed here and nowhere else.
 */
export interface Price {
  readonly service: string;
  /** As AWS's price page calls it. */
  readonly what: string;
  readonly usd: number;
  /** What `usd` buys: so many `unit`s. */
  readonly per: number;
  readonly unit: string;
  /** Month of the page that the price was taken from. Absent: that page has no date; the price has stood for years. */
  readonly seen?: string;
}

export const region = 'us-east-1';
/** Month of the newest page. */
export const pricesAsOf = '2026-06';

const million = 1_000_000;

/** For what grows with what is done. */
export const pricesOfUse = {
  lambdaRequests: { service: 'Lambda', what: 'requests', usd: 0.2, per: million, unit: 'call', seen: '2026-05' },
  lambdaDuration: { service: 'Lambda', what: 'duration', usd: 1.33334e-5, per: 1, unit: 'GB-s, Arm', seen: '2026-05' },
  schedules: { service: 'Scheduler', what: 'invocations', usd: 1, per: million, unit: 'invocation', seen: '2026-03' },
  events: { service: 'EventBridge', what: 'custom events', usd: 1, per: million, unit: '64 KB', seen: '2026-06' },
  tableReads: {
    service: 'DynamoDB',
    what: 'reads',
    usd: 0.125,
    per: million,
    unit: '4 KB, consistent',
    seen: '2025-07',
  },
  tableWrites: { service: 'DynamoDB', what: 'writes', usd: 0.625, per: million, unit: '1 KB', seen: '2025-07' },
  tableStorage: { service: 'DynamoDB', what: 'data storage', usd: 0.25, per: 1, unit: 'GB-month' },
  tableBackup: { service: 'DynamoDB', what: 'point-in-time recovery', usd: 0.2, per: 1, unit: 'GB-month' },
  apiRequests: {
    service: 'API Gateway',
    what: 'HTTP API calls',
    usd: 1,
    per: million,
    unit: '512 KB',
    seen: '2025-05',
  },
  logIngestion: { service: 'CloudWatch', what: 'log ingestion', usd: 0.5, per: 1, unit: 'GB', seen: '2026-06' },
  logStorage: { service: 'CloudWatch', what: 'log storage', usd: 0.03, per: 1, unit: 'GB-month' },
  secretCalls: { service: 'Secrets Manager', what: 'API calls', usd: 0.05, per: 10_000, unit: 'call' },
} as const satisfies Readonly<Record<string, Price>>;

/** For what is there as long as the stack is. */
export const pricesOfParts = {
  secrets: { service: 'Secrets Manager', what: 'secrets', usd: 0.4, per: 1, unit: 'secret' },
  alarms: { service: 'CloudWatch', what: 'alarms', usd: 0.1, per: 1, unit: 'alarm' },
  dashboards: { service: 'CloudWatch', what: 'dashboards', usd: 3, per: 1, unit: 'dashboard', seen: '2026-06' },
} as const satisfies Readonly<Record<string, Price>>;
