/** Limits and fixed times of the core, each in one place and with its reason. */

/**
 * Open grants of one resource: an item of that many fits into the table with the longest names, and with a change to
 * each of them in one write.
 */
export const maxOpenGrants = 200;

/** First pause after a refusal that names none; it doubles with each refusal in a row. */
export const backoffSeconds = 60;
/** Longest pause of our own making. */
export const maxBackoffSeconds = 3_600;
/** A provider may ask for a longer one, up to a day: a mistaken answer must not bar it for ever. */
export const maxRetryAfterSeconds = 86_400;

/** A description this old is read again before something is borrowed on its terms. */
export const describeAfterSeconds = 3_600;

/** A report of the licence server's own count is believed for this long; afterwards nobody observes it. */
export const observedFreshSeconds = 600;

/**
 * How long before its end a grant must be out of the total: five minutes of clock error on either side are common
 * enough to allow for, and a push is retried every minute.
 */
export const expiryMarginSeconds = 360;

/** Grants younger than this are left alone by the comparison with a provider's list: their own pass may still be at work. */
export const listGraceSeconds = 60;

/** Reasons are for people; one that grew longer would only fill the ledger. */
export const maxReasonLength = 300;
