// What one of each resource takes, for `bench/benches/scale-bench.ts`: the platform's published
// limits, with where and when they were read, and what this project's own benches and tests
// measured of a message's cost. A figure that is neither is an assumption, and says so.

/**
 * Cloudflare's documentation for Workers Paid, as it was in 2026: pages of 2026-04-21 (D1) and
 * 2026-06-01 (Durable Objects). Null: it names no limit.
 */
export const PLATFORM = {
  /** developers.cloudflare.com/durable-objects/platform/limits: a soft limit of one object. */
  objectCallsPerSecond: 1_000,
  /** developers.cloudflare.com/d1/platform/limits: of one database; it can't be raised. */
  databaseGigabytes: 10,
  /** The same page: of an account on Workers Paid; raised on request. */
  accountGigabytes: 1_000,
  /**
   * The same page: one database is single-threaded, so a second of it is a second of SQL, whatever
   * the queries.
   */
  databaseMillisecondsPerSecond: 1_000,
  /** developers.cloudflare.com/queues/platform/limits: of one queue. */
  queueMessagesPerSecond: 5_000,
  /** The same page: invocations of a queue's consumer at once. */
  queueConsumers: 250,
  /**
   * developers.cloudflare.com/r2/platform/limits: none for reading and writing different objects.
   */
  bucketWritesPerSecond: null,
} as const;

/** One invocation of the hourly sweep asks each shard (shards/wrangler-toml.ts). */
export const SHARDS = 256;

export const MEASURED = {
  /** bench/README.md, accept at 64 callers: one ledger, each message with its flush. */
  ledgerMessagesPerSecond: 2_920,
  /** bench/README.md, deliver: one gateway host. */
  gatewayMessagesPerSecond: 9_191,
  /** smtp-gateway/README.md: EGRESS_CONNECTIONS of one host, unless it is raised. */
  gatewayConnections: 500,
  /**
   * bench events: pages, index and counts of a message with two tags, a topic, a campaign and 2.35
   * events.
   */
  messageBytes: 146,
  /**
   * src/resources/events/day-retention.ts: days of pages that lie in a shard, whatever the team's
   * plan.
   */
  pageDays: 35,
  /**
   * src/ledger/log/event-log.ts: a page of a team that sends singly. A busier one's has up to twice
   * as many.
   */
  pageEvents: 64,
  /**
   * bench cost: the five statements that write a page take some 1.2 ms by D1's own word, rounded
   * up.
   */
  pageMilliseconds: 2,
  /**
   * A row of a suppression and its entries in three indexes (docs/scaling.md); a bounce's is kept
   * so many days (src/limits.ts).
   */
  suppressionBytes: 400,
  suppressionDays: 90,
  /** src/mail/deliver, of a team's share of a queue's batch: claim, settle. */
  ledgerCallsPerShare: 2,
  /** Of a share: its shard's suppressions. */
  shardQueriesPerShare: 1,
  /**
   * bench cost, one an hour: what an isolate then keeps for a minute is the key with its team, and
   * the domain; for delivery the team, the signing key, the domain's tracking. The use of a key is
   * noted by one isolate a minute.
   */
  coreQueriesPerMiss: 5,
  /** What a ledger then keeps for a minute: the team, and its webhooks. */
  coreQueriesPerLedger: 2,
  cacheSeconds: 60,
  /**
   * METRICS_FLUSH_SECONDS of an isolate; a ledger or a webhook's outbox reports every 30 s while
   * something is open.
   */
  flushSeconds: 10,
  reportSeconds: 30,
  /**
   * src/sweep.ts: how many ledgers it looks after every quarter of an hour, and within what time
   * all of them should be.
   */
  ledgersPerSweep: 1_000,
  sweepsPerHour: 4,
  sweepWithinHours: 4,
} as const;

export const ASSUMED = {
  /**
   * A query of D1, as in Cloudflare's own sizing example (d1/platform/limits). By bench cost a
   * look-up by key takes 0.03 ms locally.
   */
  queryMilliseconds: 1,
  /** A consumer takes what is waiting: half of what it may. */
  batchMessages: 50,
  /** Until a batch's slowest mail server has answered. */
  batchSeconds: 5,
  /** One SMTP transaction on a connection that is open. */
  transactionSeconds: 1,
  isolates: 100,
  /** Of recipients: attempts. */
  attempts: 1.05,
  /** Of messages: events of delivery, and what comes of it later: opens, clicks, reports. */
  deliveryEvents: 2,
  laterEvents: 0.35,
  /** Of messages: those that suppress an address. */
  suppressingShare: 0.01,
  /** Of messages: those over 96 KB, whose content goes to R2. */
  largeShare: 0.02,
  /** Of teams: those with a webhook. */
  webhookShare: 0.5,
  /** Of posts to receivers: those that are tried again, each by a job of the queue. */
  retriedShare: 0.05,
} as const;
