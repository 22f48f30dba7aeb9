// What can be used up, one row each: of what there is how much, and what a moment of the load asks
// of it.
import { ASSUMED, MEASURED, PLATFORM, SHARDS } from "./platform-limits.ts";

/** A moment of the load, and what it means to those who share the work. */
export interface Moment {
  /** Messages a second of all teams, and what share of all there ever is is the largest's. */
  readonly perSecond: number;
  readonly largestShare: number;
  /** Attempts a second, and batches of the queue with them. */
  readonly attempts: number;
  readonly batches: number;
  /** Of a batch: how many teams' shares it has, and how likely one of the largest team. */
  readonly sharesPerBatch: number;
  readonly largestPerBatch: number;
  /** Messages a second whose isolate does not know the team, and whose ledger does not. */
  readonly misses: number;
  readonly ledgerReads: number;
  /** Teams that have something open. */
  readonly activeTeams: number;
  /** What lies in the shards at the end of the retention. */
  readonly pageGigabytes: number;
  readonly suppressionGigabytes: number;
  readonly teams: number;
}

export interface Resource {
  readonly name: string;
  readonly unit: string;
  /** Of one; null: none is published. */
  readonly limit: number | null;
  /** How many there can be. */
  readonly available: number;
  readonly remedy: string;
  readonly needed: (moment: Moment) => number;
  /** False: it does not hang on the minute. */
  readonly hasMinute: boolean;
}

const ANY_NUMBER = Number.POSITIVE_INFINITY;
const inTime = { available: 1, hasMinute: true };
const atLast = { available: 1, hasMinute: false };
const database = { unit: "ms/s of SQL", limit: PLATFORM.databaseMillisecondsPerSecond };
const queue = { unit: "msg/s", limit: PLATFORM.queueMessagesPerSecond, remedy: "several queues" };

export const RESOURCES: readonly Resource[] = [
  {
    name: "largest team's ledger, calls",
    unit: "calls/s",
    limit: PLATFORM.objectCallsPerSecond,
    remedy: "several teams",
    needed: ({ perSecond, largestShare, batches, largestPerBatch }) =>
      perSecond * largestShare * (1 + ASSUMED.laterEvents) +
      batches * largestPerBatch * MEASURED.ledgerCallsPerShare,
    ...inTime,
  },
  {
    name: "largest team's ledger, commits",
    unit: "msg/s",
    limit: MEASURED.ledgerMessagesPerSecond,
    remedy: "several teams",
    needed: ({ perSecond, largestShare }) => perSecond * largestShare,
    ...inTime,
  },
  {
    name: "core database",
    ...database,
    remedy: "none yet",
    needed: ({ misses, ledgerReads }) =>
      (misses * MEASURED.coreQueriesPerMiss + ledgerReads * MEASURED.coreQueriesPerLedger) *
      ASSUMED.queryMilliseconds,
    ...inTime,
  },
  {
    name: "shards, SQL",
    ...database,
    remedy: "more shards",
    needed: ({ perSecond, batches, sharesPerBatch }) =>
      pagesPerSecond(perSecond) * MEASURED.pageMilliseconds +
      batches * sharesPerBatch * MEASURED.shardQueriesPerShare * ASSUMED.queryMilliseconds,
    ...inTime,
    available: SHARDS,
  },
  {
    name: "queue postern-deliver, messages",
    ...queue,
    needed: ({ attempts }) => attempts,
    ...inTime,
  },
  {
    name: "queue postern-deliver, consumers",
    unit: "at once",
    limit: PLATFORM.queueConsumers,
    remedy: "larger batches",
    needed: ({ batches }) => batches * ASSUMED.batchSeconds,
    ...inTime,
  },
  {
    name: "queue postern-webhook, messages",
    ...queue,
    needed: ({ batches, sharesPerBatch }) =>
      batches * sharesPerBatch * ASSUMED.webhookShare * ASSUMED.retriedShare,
    ...inTime,
  },
  {
    name: "gateway, connections",
    unit: "open",
    limit: MEASURED.gatewayConnections,
    remedy: "more hosts",
    needed: ({ attempts }) => attempts * ASSUMED.transactionSeconds,
    ...inTime,
    available: ANY_NUMBER,
  },
  {
    name: "gateway, messages",
    unit: "msg/s",
    limit: MEASURED.gatewayMessagesPerSecond,
    remedy: "more hosts",
    needed: ({ attempts }) => attempts,
    ...inTime,
    available: ANY_NUMBER,
  },
  {
    name: "metrics object",
    unit: "calls/s",
    limit: PLATFORM.objectCallsPerSecond,
    remedy: "reports less often",
    needed: ({ activeTeams }) =>
      ASSUMED.isolates / MEASURED.flushSeconds +
      (activeTeams * (1 + ASSUMED.webhookShare)) / MEASURED.reportSeconds,
    ...inTime,
  },
  {
    name: "R2, content over 96 KB",
    unit: "writes/s",
    limit: PLATFORM.bucketWritesPerSecond,
    remedy: "",
    needed: ({ perSecond }) => perSecond * ASSUMED.largeShare,
    ...inTime,
  },
  {
    name: "largest team's pages",
    unit: "GB",
    limit: PLATFORM.databaseGigabytes,
    remedy: "more shards for it",
    needed: ({ pageGigabytes, largestShare }) => pageGigabytes * largestShare,
    ...atLast,
    available: SHARDS,
  },
  {
    name: "largest team's suppressions",
    unit: "GB",
    limit: PLATFORM.databaseGigabytes,
    remedy: "several teams",
    needed: ({ suppressionGigabytes, largestShare }) => suppressionGigabytes * largestShare,
    ...atLast,
  },
  {
    name: "shards, size",
    unit: "GB",
    limit: PLATFORM.databaseGigabytes,
    remedy: "more shards",
    needed: ({ pageGigabytes, suppressionGigabytes }) => pageGigabytes + suppressionGigabytes,
    ...atLast,
    available: SHARDS,
  },
  {
    name: "the account's databases",
    unit: "GB",
    limit: PLATFORM.accountGigabytes,
    remedy: "ask Cloudflare",
    needed: ({ pageGigabytes, suppressionGigabytes }) => pageGigabytes + suppressionGigabytes,
    ...atLast,
  },
  {
    name: "sweep over the ledgers",
    unit: "h a round",
    limit: MEASURED.sweepWithinHours,
    remedy: "more a sweep",
    needed: ({ teams }) => teams / MEASURED.ledgersPerSweep / MEASURED.sweepsPerHour,
    ...atLast,
  },
];

/** Pages of busy teams; a quiet team's day is one more, written whenever. */
function pagesPerSecond(perSecond: number): number {
  return (perSecond * (ASSUMED.deliveryEvents + ASSUMED.laterEvents)) / MEASURED.pageEvents;
}
