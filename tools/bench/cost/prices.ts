// List prices of Cloudflare and others in US dollars, each with its source and date. Cloudflare's
// prices are for usage beyond the amounts that Workers Paid ($5 a month) includes.

const MILLION = 1_000_000;

/**
 * Prices from developers.cloudflare.com, from the source of its documentation in October 2026. Each
 * price is for one unit.
 */
export const PRICES = {
  /**
   * /workers/platform/pricing, HTTP requests; 10 million a month are included. The page names no
   * price for a queue consumer's invocations.
   */
  workerRequest: 0.3 / MILLION,
  /** /workers/platform/pricing: a millisecond of processor time; 30 million are included. */
  workerCpuMs: 0.02 / MILLION,
  /**
   * /workers/platform/pricing, Workers Logs: a log line, until 2026-12-01; 20 million are included.
   */
  logEvent: 0.6 / MILLION,
  /**
   * /d1/platform/pricing and /durable-objects/platform/pricing name the same price for a row that
   * is read; 25,000 million rows are included.
   */
  rowRead: 0.001 / MILLION,
  /**
   * /d1/platform/pricing and /durable-objects/platform/pricing: a written row; 50 million rows are
   * included. An index entry, a deleted row and `setAlarm` each count as a written row.
   */
  rowWritten: 1 / MILLION,
  /**
   * /durable-objects/platform/pricing, for a call or an alarm of a Durable Object; 1 million are
   * included.
   */
  objectRequest: 0.15 / MILLION,
  /** /durable-objects/platform/pricing: a GB of memory for a second; 400,000 are included. */
  objectGigabyteSecond: 12.5 / MILLION,
  /**
   * /queues/platform/pricing, for a write, a read or a delete of up to 64 KB; 1 million are
   * included.
   */
  queueOperation: 0.4 / MILLION,
  /**
   * /r2/pricing, for operations of class A and class B; 1 and 10 million are included. Deletes are
   * free.
   */
  bucketWrite: 4.5 / MILLION,
  bucketRead: 0.36 / MILLION,
  /** /d1/platform/pricing: a GB of storage for a month; 5 GB are included. */
  databaseGigabyte: 0.75,
} as const;

/**
 * /durable-objects/platform/pricing: GB of memory that are billed for a working object, even if the
 * object uses less.
 */
export const OBJECT_GIGABYTES = 0.128;

/**
 * developers.cloudflare.com/email-service/platform/pricing, 2026-10: the price of a message, and the
 * messages of a month that Workers Paid includes.
 */
export const EMAIL_SERVICE = { message: 0.35 / 1_000, included: 3_000 } as const;

/**
 * aws.amazon.com/ses/pricing, à la carte: $0.10 for 1,000 recipients (AWS Price List of
 * 2026-07-22).
 */
export const SES = { name: "Amazon SES", dollars: 100 } as const;

/** Prices of a million messages in one month. */
export const OTHERS = [
  SES,
  /** AWS Price List, for SES accounts created since 2026-07-21: $0.16 for 1,000 recipients. */
  { name: "Amazon SES Essentials", dollars: 160 },
  /** resend.com/pricing, Scale, as quoted by flexprice.io on 2025-08-20. */
  { name: "Resend", dollars: 650 },
  /**
   * postmarkapp.com/pricing, Platform, on 2026-08-13: $18 for 10,000 and $1.20 for each further
   * 1,000. Postmark negotiates lower prices.
   */
  { name: "Postmark", dollars: 1_206 },
] as const;
