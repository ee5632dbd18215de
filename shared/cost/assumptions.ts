/** What a bill depends on and only AWS, or the way to the site, can tell. Everything else is counted (`measure.ts`). */
export const assumptions = {
  hoursAMonth: 730,
  /** From a function to DynamoDB or EventBridge in its region, and back. */
  awsRequestMilliseconds: 5,
  /** From a function to the controller or a provider, and back. They are billed as if made one after the other. */
  outsideCallMilliseconds: 40,
  /** With `delivery: pull`: how much longer such a call is under way, until it is fetched and its answer is seen. */
  relayMilliseconds: 300,
  /** How long a fetcher of calls has the site wait for one, as a gateway file has it by default, and the looks meanwhile. */
  relayWaitSeconds: 20,
  relayLooksASecond: 2,
  /**
   * Time on a whole processor that a call takes, with each call of the other side, and with each 4 KB that it reads.
   * Measured with the real functions and a controller in one process, at rest, after forty passes: 9.5 ms for `reconcile`
   * and 2.1 ms for `push-total` with 1 resource, 12.2 ms and 4.6 ms with 100.
   */
  processorMillisecondsPerCall: 2,
  processorMillisecondsPerOutsideCall: 3.8,
  processorMillisecondsPerReadUnit: 0.1,
  /** A function has this share of a processor for each MB (AWS Lambda guide, "Configure Lambda function memory"). */
  megabytesPerProcessor: 1_769,
  /** New environments of a function that runs every minute; each reads the function's key. */
  coldStartsADay: 12,
  coldStartMilliseconds: 500,
  /** The lines START, END and REPORT that Lambda itself writes for a call. */
  lambdaLogBytes: 270,
  /** A line of the API's access log. */
  accessLogBytes: 400,
  /** The history of so much time is in the table. */
  yearsKept: 1,
} as const;
