// What one of each resource takes, for `bench/scale.ts`: the platform's published limits, with where and when they were read, and what this project's own
// benches and tests measured of a message's cost. A figure that is neither is an assumption, and says so.

/** Cloudflare's documentation for Workers Paid, as it was in 2026: pages of 2026-04-21 (D1) and 2026-06-01 (Durable Objects). Null: it names no limit. */
export const PLATFORM = {
  /** developers.cloudflare.com/durable-objects/platform/limits: a soft limit of one object. */
  objectCallsPerSecond: 1_000,
  /** developers.cloudflare.com/d1/platform/limits: of one database; it can't be raised. */
  databaseGigabytes: 10,
  /** The same page: of an account on Workers Paid; raised on request. */
  accountGigabytes: 1_000,
  /** The same page: one database is single-threaded, so a second of it is a second of SQL, whatever the queries. */
  databaseMillisecondsPerSecond: 1_000,
  /** developers.cloudflare.com/queues/platform/limits: of one queue. */
  queueMessagesPerSecond: 5_000,
  /** The same page: invocations of a queue's consumer at once. */
  queueConsumers: 250,
  /** developers.cloudflare.com/r2/platform/limits: none for reading and writing different objects. */
  bucketWritesPerSecond: null,
} as const;

/** One invocation of the hourly sweep asks each shard (shards/wrangler-toml.ts). */
export const HISTORY_SHARDS = 256;

export const MEASURED = {
  /** bench/README.md, accept at 64 callers: one ledger, each message with its flush. */
  ledgerMessagesPerSecond: 2_920,
  /** bench/README.md, deliver: one gateway host. */
  gatewayMessagesPerSecond: 9_191,
  /** smtp-gateway/README.md: EGRESS_CONNECTIONS of one host, unless it is raised. */
  gatewayConnections: 500,
  /** test/unit/resources/events/insert.test.ts holds it to 360. */
  eventBytes: 349,
  /** A message of one recipient with two tags, a topic and a campaign, in the day's table: 4,000 of them, 2026-11-21. */
  messageBytes: 583,
  /** src/mail/deliver, of a team's share of a queue's batch: claim, settle, forget. */
  ledgerCallsPerShare: 3,
  /** Of a share: suppressions, and the team's webhooks. */
  coreQueriesPerShare: 2,
  /** What an isolate then keeps for a minute: the key with its team, and the note of its use; the domain; for delivery the team, and the signing key. */
  coreQueriesPerMiss: 5,
  /** src/limits.ts and src/resources/events/retention.ts: days of events and of messages that lie in a shard, whatever the team's plan. */
  eventDays: 31,
  messageDays: 35,
  cacheSeconds: 60,
  /** METRICS_FLUSH_SECONDS of an isolate; a ledger or a webhook's outbox reports every 30 s while something is open. */
  flushSeconds: 10,
  reportSeconds: 30,
  /** src/sweep.ts: how many ledgers it looks after every quarter of an hour, and within what time all of them should be. */
  ledgersPerSweep: 1_000,
  sweepsPerHour: 4,
  sweepWithinHours: 4,
} as const;

export const ASSUMED = {
  /** A query or a batch of D1, as in Cloudflare's own sizing example (d1/platform/limits). Locally the history's batch takes 0.2 ms. */
  queryMilliseconds: 1,
  /** A consumer takes what is waiting: half of what it may. */
  batchMessages: 50,
  /** Until a batch's slowest mail server has answered. */
  batchSeconds: 5,
  /** One SMTP transaction on a connection that is open. */
  transactionSeconds: 1,
  isolates: 100,
  /** Of recipients: attempts, and events. */
  attempts: 1.05,
  events: 2.1,
  /** Of messages: those over 96 KB, whose content goes to R2. */
  largeShare: 0.02,
  /** Of teams: those with a webhook. */
  webhookShare: 0.5,
  /** Of posts to receivers: those that are tried again, each by a job of the queue. */
  retriedShare: 0.05,
} as const;
