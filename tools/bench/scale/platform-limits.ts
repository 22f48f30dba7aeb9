// The capacity of one unit of each resource, for `tools/bench/benches/scale-bench.ts`: the
// platform's published limits with source and date, and the costs of a message that this project's
// benches and tests measured. All other figures are assumptions and are marked so.

/**
 * Cloudflare's documentation for Workers Paid in 2026: pages of 2026-04-21 (D1) and 2026-06-01
 * (Durable Objects). Null: the documentation names no limit.
 */
export const PLATFORM = {
  /** developers.cloudflare.com/durable-objects/platform/limits: a soft limit of one object. */
  objectCallsPerSecond: 1_000,
  /** developers.cloudflare.com/d1/platform/limits: limit of one database. It can't be raised. */
  databaseGigabytes: 10,
  /** Same page: limit of an account on Workers Paid. It is raised on request. */
  accountGigabytes: 1_000,
  /** Same page: one database is single-threaded, so it runs at most one second of SQL a second. */
  databaseMillisecondsPerSecond: 1_000,
  /** developers.cloudflare.com/queues/platform/limits: limit of one queue. */
  queueMessagesPerSecond: 5_000,
  /** Same page: concurrent invocations of a queue's consumer. */
  queueConsumers: 250,
  /**
   * developers.cloudflare.com/r2/platform/limits: no limit for reading and writing different
   * objects.
   */
  bucketWritesPerSecond: null,
} as const;

/** Each run of the hourly sweep queries each shard (tools/shards/wrangler-toml.ts). */
export const SHARDS = 256;

export const MEASURED = {
  /**
   * tools/bench/README.md, accept at 64 callers: the messages of one ledger, each with its commit.
   */
  ledgerMessagesPerSecond: 2_920,
  /** tools/bench/README.md, deliver: one gateway host. */
  gatewayMessagesPerSecond: 9_191,
  /** smtp-gateway/README.md: default EGRESS_CONNECTIONS of one host. */
  gatewayConnections: 500,
  /**
   * bench events: pages, index and counts of a message with two tags, a topic, a campaign and 2.35
   * events.
   */
  messageBytes: 146,
  /** Days for which a shard keeps pages, on every plan (src/resources/events/day-retention.ts). */
  chunkDays: 35,
  /**
   * src/ledger/log/event-log.ts: events in a page of a team that sends single messages. A busier
   * team's pages have up to twice as many.
   */
  chunkEvents: 64,
  /** bench cost: D1 reports about 1.2 ms for the five statements that write a page. Rounded up. */
  pageMilliseconds: 2,
  /**
   * A suppression's row with its entries in three indexes (docs/scaling.md), and for how many days
   * a bounce's suppression is kept (src/limits.ts).
   */
  suppressionBytes: 400,
  suppressionDays: 90,
  /**
   * bench hostile, with a tenth of the recipients at servers that are silent or slow: a consumer's
   * time for each message of the queue. Rounded up.
   */
  consumerMilliseconds: 10,
  /**
   * Calls to a ledger for one team's part of a queue batch: claim, leave, settle
   * (src/mail/deliver).
   */
  ledgerCallsPerShare: 3,
  /**
   * A queue message may ask the gateway for outcomes. Calls to a ledger with the gateway's answers:
   * noteAnswers, settle.
   */
  ledgerCallsPerAsk: 2,
  /**
   * Seconds for which a ledger collects questions to the gateway before it queues them
   * (src/ledger/release/pacing.ts).
   */
  askRoundSeconds: 1,
  /** The query for the suppressions of the recipients. */
  shardQueriesPerShare: 1,
  /**
   * Queries of the core database by an isolate (bench cost, one an hour). It caches the results for
   * a minute: the key with its team, and the domain; for a delivery the team, the signing key and
   * the domain's tracking. In addition, one isolate a minute records the use of a key.
   */
  coreQueriesPerMiss: 5,
  /** Queries of a ledger for its team and for the team's webhooks. It caches both for a minute. */
  coreQueriesPerLedger: 2,
  cacheSeconds: 60,
  /**
   * METRICS_FLUSH_SECONDS of an isolate. A ledger or a webhook's outbox with open work reports
   * every 30 s.
   */
  flushSeconds: 10,
  reportSeconds: 30,
  /**
   * src/sweep.ts: how many ledgers are checked every quarter of an hour, and the hours within which
   * all should be checked.
   */
  ledgersPerSweep: 1_000,
  sweepsPerHour: 4,
  sweepWithinHours: 4,
} as const;

export const ASSUMED = {
  /**
   * A query of D1, as in Cloudflare's own example of sizing (d1/platform/limits). In bench cost, a
   * look-up by key takes 0.03 ms locally.
   */
  queryMilliseconds: 1,
  /** Messages in a queue batch: half of the maximum. */
  batchMessages: 50,
  /** One SMTP transaction on an open connection. */
  transactionSeconds: 1,
  isolates: 100,
  /** Attempts for each recipient. */
  attempts: 1.05,
  /**
   * `leftShare`: the share of attempts that take more than three seconds. The queue's consumer does
   * not wait longer for an outcome. `asksEach`: how often the worker later asks the gateway for the
   * outcome of such an attempt.
   */
  leftShare: 0.1,
  asksEach: 1.5,
  /** Events for each message: the delivery and later opens, clicks and reports. */
  deliveryEvents: 2,
  laterEvents: 0.35,
  /** Share of messages that suppress an address. */
  suppressingShare: 0.01,
  /** Share of messages over 1 MB, whose content goes to R2. */
  largeShare: 0.005,
  /** Share of teams that have a webhook. */
  webhookShare: 0.5,
  /** Part of the posts to webhook receivers that is retried. Each retry is a job of the queue. */
  retriedShare: 0.05,
} as const;
