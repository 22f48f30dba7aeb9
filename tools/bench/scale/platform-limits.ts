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
  /**
   * src/resources/events/day-retention.ts: for how many days a shard keeps pages, on every plan.
   */
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
  /** src/mail/deliver: calls for one team's part of a queue batch: claim, leave, settle. */
  ledgerCallsPerShare: 3,
  /** Answers to the questions of one queue message take two calls: noteAnswers, settle. */
  ledgerCallsPerAsk: 2,
  /** src/ledger/release/pacing.ts: a ledger collects its questions for this long. */
  askRoundSeconds: 1,
  /** The query for the suppressions of the recipients. */
  shardQueriesPerShare: 1,
  /**
   * bench cost, one an hour: what an isolate reads from the core database and then caches for a
   * minute: the key with its team, and the domain; for a delivery the team, the signing key and the
   * domain's tracking. One isolate a minute also records the use of a key.
   */
  coreQueriesPerMiss: 5,
  /** A ledger reads and then caches for a minute its team and the team's webhooks. */
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
  /** Messages in a batch of a consumer: half of its maximum. */
  batchMessages: 50,
  /** One SMTP transaction on an open connection. */
  transactionSeconds: 1,
  isolates: 100,
  /** Attempts for each recipient. */
  attempts: 1.05,
  /**
   * Share of attempts that end more than three seconds after they were handed over, when the
   * consumer has left, and the number of questions about each of them.
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
  /** Share of posts to receivers that are retried. Each retry is a job of the queue. */
  retriedShare: 0.05,
} as const;
