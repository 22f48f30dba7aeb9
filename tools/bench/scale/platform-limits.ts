// The capacity of one unit of each resource, for `tools/bench/benches/scale-bench.ts`. It has the
// platform's published limits with source and date, and the costs of a message that this project's
// benches and tests measured. All other figures are marked as assumptions.

/**
 * Cloudflare's documentation for Workers Paid in 2026: pages of 2026-04-21 (D1) and 2026-06-01
 * (Durable Objects). Null: the documentation names no limit.
 */
export const PLATFORM = {
  /**
   * developers.cloudflare.com/durable-objects/platform/limits: requests a second to one object, a
   * soft limit.
   */
  objectCallsPerSecond: 1_000,
  /**
   * developers.cloudflare.com/d1/platform/limits: size of one database. Cloudflare raises it for no
   * account.
   */
  databaseGigabytes: 10,
  /**
   * developers.cloudflare.com/d1/platform/limits: size of all databases of an account on Workers
   * Paid. Cloudflare raises it on request.
   */
  accountGigabytes: 1_000,
  /**
   * developers.cloudflare.com/d1/platform/limits: one database is single-threaded. So it runs at
   * most one second of SQL in each second.
   */
  databaseMillisecondsPerSecond: 1_000,
  /** developers.cloudflare.com/queues/platform/limits: messages a second of one queue. */
  queueMessagesPerSecond: 5_000,
  /**
   * developers.cloudflare.com/queues/platform/limits: concurrent invocations of a queue's consumer.
   */
  queueConsumers: 250,
  /**
   * developers.cloudflare.com/r2/platform/limits: no limit for reading and writing different
   * objects.
   */
  bucketWritesPerSecond: null,
  /**
   * The Email Service's daily quota of an account is not published
   * (developers.cloudflare.com/email-service/platform/limits, 2026-10). It begins at 200 to 1,000
   * messages a day, as real accounts showed in 2026, and grows with their reputation.
   */
  emailServicePerDay: 1_000,
  /**
   * developers.cloudflare.com/dns/manage-dns-records, 2026-10: records of a zone on Pro and
   * Business. A Free zone made since 2024-09-01 has 200.
   */
  zoneRecords: 3_500,
} as const;

/**
 * The number of shards. Each run of the hourly sweep queries each of them
 * (tools/shards/wrangler-toml.ts).
 */
export const SHARDS = 256;

export const MEASURED = {
  /**
   * tools/bench/README.md, accept at 64 callers: messages a second that one ledger accepts and
   * commits.
   */
  ledgerMessagesPerSecond: 3_540,
  /** tools/bench/README.md, deliver: messages a second that one gateway host sends. */
  gatewayMessagesPerSecond: 8_046,
  /** smtp-gateway/README.md: default EGRESS_CONNECTIONS of one host. */
  gatewayConnections: 500,
  /**
   * bench events: bytes of the chunks, the index and the counts for a message with two tags, a
   * topic, a campaign and 2.35 events.
   */
  messageBytes: 128,
  /** Days for which a shard keeps chunks, on every plan (src/resources/events/day-retention.ts). */
  chunkDays: 35,
  /**
   * src/ledger/log/chunk-plans.ts: events in a chunk of a team that sends single messages. A busier
   * team's chunks have up to twice as many.
   */
  chunkEvents: 64,
  /** bench cost: D1 reports about 1.2 ms for the five statements that write a chunk. Rounded up. */
  pageMilliseconds: 2,
  /**
   * Bytes of a suppression's row with its entries in three indexes (docs/scaling.md), and the days
   * for which a bounce's suppression is kept (src/limits.ts).
   */
  suppressionBytes: 400,
  suppressionDays: 90,
  /**
   * bench hostile, with a tenth of the recipients at servers that are silent or slow: a consumer's
   * time for each message of the queue. Rounded up.
   */
  consumerMilliseconds: 10,
  /** Calls to a ledger for each team in a queue batch: claim, leave, settle (src/mail/deliver). */
  ledgerCallsPerShare: 3,
  /** Calls to a ledger after the gateway was asked for outcomes: noteAnswers, settle. */
  ledgerCallsPerAsk: 2,
  /**
   * Seconds for which a ledger collects its questions to the gateway before it puts them into the
   * queue (src/ledger/release/pacing.ts).
   */
  askRoundSeconds: 1,
  /** src/resources/domains/record-names.ts: DKIM records of each domain in the service's zone. */
  recordsPerDomain: 2,
  /**
   * Queries to a shard for each team in a queue batch. One query reads the suppressions of all
   * recipients.
   */
  shardQueriesPerShare: 1,
  /**
   * Queries to the core database for each read that no cache answers: by an isolate for a key with
   * its team and domains, and by a ledger. A webhook's outbox reads its row and records its last
   * delivery. bench cost counts these queries in the running system.
   */
  coreQueriesPerMiss: 1,
  coreQueriesPerLedger: 1,
  coreQueriesPerOutbox: 2,
  cacheSeconds: 60,
  /** src/resources/api-keys/credentials.ts: a key's use is recorded at most once in this time. */
  keyUseSeconds: 600,
  /**
   * Seconds between reports of metrics: by an isolate (METRICS_FLUSH_SECONDS), and by a ledger or a
   * webhook's outbox with open work.
   */
  flushSeconds: 10,
  reportSeconds: 30,
  /**
   * src/sweep.ts: the number of ledgers that are checked every quarter of an hour, and the hours
   * within which all ledgers should be checked.
   */
  ledgersPerSweep: 1_000,
  sweepsPerHour: 4,
  sweepWithinHours: 4,
} as const;

export const ASSUMED = {
  /**
   * Milliseconds of a D1 query, as in Cloudflare's own example of sizing (d1/platform/limits). In
   * bench cost, a look-up by key takes 0.03 ms locally.
   */
  queryMilliseconds: 1,
  /** Messages in a queue batch: half of the maximum. */
  batchMessages: 50,
  /** Seconds of one SMTP transaction on an open connection. */
  transactionSeconds: 1,
  isolates: 100,
  /**
   * The fraction of the isolates' reads that come from the busiest region. D1 has one replica in
   * each region (developers.cloudflare.com/d1/best-practices/read-replication, 2026-08).
   */
  busiestRegionShare: 0.5,
  /**
   * The fraction of messages with a template, and the number of published templates that a team
   * uses.
   */
  templatedShare: 0.5,
  templatesPerTeam: 3,
  /** Sending domains of a team, and the other records of the service's zone. */
  domainsPerTeam: 1,
  otherRecords: 20,
  /** Attempts for each recipient. */
  attempts: 1.05,
  /**
   * `leftShare` is the fraction of attempts that take more than three seconds, which is longer than
   * the queue's consumer waits for an outcome. `asksEach` is how often the worker then asks the
   * gateway for the outcome of such an attempt.
   */
  leftShare: 0.1,
  asksEach: 1.5,
  /**
   * Events for each message: those of its delivery, and the opens, clicks and reports that follow.
   */
  deliveryEvents: 2,
  laterEvents: 0.35,
  /** Share of messages that suppress an address. */
  suppressingShare: 0.01,
  /** Share of messages over 1 MB, whose content goes to R2. */
  largeShare: 0.005,
  /** Share of teams that have a webhook. */
  webhookShare: 0.5,
  /**
   * The fraction of posts to webhook receivers that is retried. Each retry is a job of the queue.
   */
  retriedShare: 0.05,
} as const;
