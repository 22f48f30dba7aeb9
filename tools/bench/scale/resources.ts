// The resources that can be used up, one row each: the capacity of one unit, and the load's demand
// at a moment. Pure.
import { ASSUMED, MEASURED, PLATFORM, SHARDS } from "./platform-limits.ts";

/** A moment of the load, with the quantities from which demands are computed. */
export interface Moment {
  readonly messagesPerDay: number;
  /** Messages a second of all teams, and the largest team's share of them. */
  readonly perSecond: number;
  readonly largestShare: number;
  /** Attempts per second, and queue batches per second that carry them. */
  readonly attempts: number;
  readonly batches: number;
  /**
   * Queue messages per second that ask the gateway for outcomes: from all ledgers, and from the
   * largest team's ledger.
   */
  readonly asks: number;
  readonly largestAsks: number;
  /** Number of teams in one batch, and the probability that the largest team is one of them. */
  readonly sharesPerBatch: number;
  readonly largestPerBatch: number;
  /** Returns the reads of the busiest core database, if the deployment has this number of them. */
  readonly coreReads: (cores: number) => CoreReads;
  /** Number of teams with unfinished work. */
  readonly activeTeams: number;
  /** Size of the shards at the end of the retention. */
  readonly chunkGigabytes: number;
  readonly suppressionGigabytes: number;
  readonly teams: number;
}

/** Queries per second to a core database. */
export interface CoreReads {
  /**
   * Returns the reads of keys and templates by this many isolates. An isolate reads those that it
   * has not cached.
   */
  readonly isolateReads: (isolates: number) => number;
  /** Reads by ledgers that have not cached their team. */
  readonly ledgerReads: number;
  /** Writes that record the use of a key, and reads of templates that an isolate has not cached. */
  readonly keyUses: number;
  readonly templateReads: number;
}

export interface Resource {
  readonly name: string;
  readonly unit: string;
  /** Limit of one unit. Null if none is published. */
  readonly limit: number | null;
  /** The number of units of this resource that are possible. */
  readonly available: number;
  readonly remedy: string;
  readonly needed: (moment: Moment) => number;
  /** True: the demand depends on the minute of the day. */
  readonly hasMinute: boolean;
}

/** Numbers of isolates that accept sends. Callers in more places use more isolates. */
const ISOLATES = [25, ASSUMED.isolates, 400];
/** Numbers of core databases that the table compares. */
export const CORE_DATABASES: readonly number[] = [1, 2];
const ANY_NUMBER = Number.POSITIVE_INFINITY;
const inTime = { available: 1, hasMinute: true };
const atLast = { available: 1, hasMinute: false };
const database = { unit: "ms/s of SQL", limit: PLATFORM.databaseMillisecondsPerSecond };
const queue = { unit: "msg/s", limit: PLATFORM.queueMessagesPerSecond, remedy: "several queues" };

export const RESOURCES: readonly Resource[] = [
  {
    name: "Email Service, daily quota",
    unit: "msg/day",
    limit: PLATFORM.emailServicePerDay,
    remedy: "ask Cloudflare, or a gateway",
    needed: ({ messagesPerDay }) => messagesPerDay,
    ...atLast,
  },
  {
    name: "DNS records of the service's zone",
    unit: "records",
    limit: PLATFORM.zoneRecords,
    remedy: "none yet",
    needed: ({ teams }) =>
      teams * ASSUMED.domainsPerTeam * MEASURED.recordsPerDomain + ASSUMED.otherRecords,
    ...atLast,
  },
  {
    name: "largest team's ledger, calls",
    unit: "calls/s",
    limit: PLATFORM.objectCallsPerSecond,
    remedy: "several teams",
    needed: ({ perSecond, largestShare, batches, largestPerBatch, largestAsks }) =>
      perSecond * largestShare * (1 + ASSUMED.laterEvents) +
      batches * largestPerBatch * MEASURED.ledgerCallsPerShare +
      largestAsks * MEASURED.ledgerCallsPerAsk,
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
    remedy: "more core databases",
    needed: ({ coreReads }) => primaryMilliseconds(coreReads(1)),
    ...inTime,
  },
  ...ISOLATES.flatMap((isolates) => coreRows("core database", 1, isolates)),
  ...coreRows("busier of two core databases", 2, ASSUMED.isolates),
  {
    name: "core database, of this: uses of keys",
    ...database,
    remedy: "",
    needed: ({ coreReads }) => coreReads(1).keyUses * ASSUMED.queryMilliseconds,
    ...inTime,
  },
  {
    name: "core database without replicas, of this: templates",
    ...database,
    remedy: "",
    needed: ({ coreReads }) => coreReads(1).templateReads * ASSUMED.queryMilliseconds,
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
    needed: ({ attempts, asks }) => attempts + asks,
    ...inTime,
  },
  {
    name: "queue postern-deliver, consumers",
    unit: "at once",
    limit: PLATFORM.queueConsumers,
    remedy: "larger batches",
    needed: ({ attempts, asks }) => ((attempts + asks) * MEASURED.consumerMilliseconds) / 1_000,
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
    name: "R2, content over 1 MB",
    unit: "writes/s",
    limit: PLATFORM.bucketWritesPerSecond,
    remedy: "",
    needed: ({ perSecond }) => perSecond * ASSUMED.largeShare,
    ...inTime,
  },
  {
    name: "largest team's chunks",
    unit: "GB",
    limit: PLATFORM.databaseGigabytes,
    remedy: "more shards for it",
    needed: ({ chunkGigabytes, largestShare }) => chunkGigabytes * largestShare,
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
    needed: ({ chunkGigabytes, suppressionGigabytes }) => chunkGigabytes + suppressionGigabytes,
    ...atLast,
    available: SHARDS,
  },
  {
    name: "the account's databases",
    unit: "GB",
    limit: PLATFORM.accountGigabytes,
    remedy: "ask Cloudflare",
    needed: ({ chunkGigabytes, suppressionGigabytes }) => chunkGigabytes + suppressionGigabytes,
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

/**
 * Returns the rows of the busiest of `cores` core databases, without replicas and with one replica
 * in each region.
 */
function coreRows(name: string, cores: number, isolates: number): Resource[] {
  return [
    {
      name: `${name} without replicas, ${isolates} isolates`,
      ...database,
      remedy: "replicas",
      needed: ({ coreReads }) => {
        const reads = coreReads(cores);
        const ofIsolates = reads.isolateReads(isolates) * ASSUMED.queryMilliseconds;
        return primaryMilliseconds(reads) + ofIsolates;
      },
      ...inTime,
    },
    {
      name: `${name}, its busiest replica, ${isolates} isolates`,
      ...database,
      remedy: "more core databases",
      needed: ({ coreReads }) =>
        coreReads(cores).isolateReads(isolates) *
        ASSUMED.busiestRegionShare *
        ASSUMED.queryMilliseconds,
      ...inTime,
    },
  ];
}

/**
 * Returns the primary's milliseconds for everything that replicas can't answer: ledgers, outboxes,
 * and uses of keys. Each isolate also reads the primary once a minute, to get the bookmark for its
 * other reads.
 */
function primaryMilliseconds({ ledgerReads, keyUses }: CoreReads): number {
  const ofLedgers = ledgerReads * MEASURED.coreQueriesPerLedger;
  const ofOutboxes = ledgerReads * ASSUMED.webhookShare * MEASURED.coreQueriesPerOutbox;
  const ofIsolates = ASSUMED.isolates / MEASURED.cacheSeconds;
  return (ofLedgers + ofOutboxes + keyUses + ofIsolates) * ASSUMED.queryMilliseconds;
}

/**
 * Returns the pages that busy teams write per second. Quiet teams are not counted, because each
 * adds only one page a day.
 */
function pagesPerSecond(perSecond: number): number {
  return (perSecond * (ASSUMED.deliveryEvents + ASSUMED.laterEvents)) / MEASURED.chunkEvents;
}
