// Models a day of a deployment by arithmetic. The teams' shares follow Zipf's law. The minutes
// follow a daily and an hourly rhythm. Each minute has a demand on each resource. The model sends
// nothing and uses no randomness, so the same load gives the same table. Pure.
import { ASSUMED, MEASURED, PLATFORM, SHARDS } from "./platform-limits.ts";

export interface Load {
  readonly teams: number;
  /** Each message has one recipient. */
  readonly messagesPerDay: number;
  /**
   * Exponent of Zipf's law: the n-th largest team sends 1/n^exponent of what the largest team
   * sends.
   */
  readonly exponent: number;
}

/** A part of the platform or of the service that the load can use up. */
export interface Resource {
  readonly name: string;
  readonly unit: string;
  /** Limit of one unit. Null if none is published. */
  readonly limit: number | null;
  /** The number of units of this resource that are possible. */
  readonly available: number;
  readonly remedy: string;
  /** The demand. The demand for storage is that at the end of the retention. */
  readonly needed: (moment: Moment) => number;
  /** True: the demand depends on the minute of the day. */
  readonly hasMinute: boolean;
}

type Moment = ReturnType<ReturnType<typeof worstMoments>>;

const MINUTES = 1_440;
const NIGHT = 4 * 60;
/**
 * Programs that send on the hour multiply the rate by RUSH during the hour's first RUSH_MINUTES.
 */
const RUSH_MINUTES = 5;
const RUSH = 2;
const GIGABYTE = 1e9;
/** The range of messages a day in which the saturation point is searched, and the precision. */
const FEWEST = 1;
const MOST = 1e13;
const PRECISION = 1.001;

/** Returns each team's share of all messages, the largest first. They add up to 1. */
export function zipfShares(teams: number, exponent: number): Float64Array {
  const shares = Float64Array.from({ length: teams }, (_, rank) => 1 / (rank + 1) ** exponent);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/**
 * Returns each minute's share of a day's messages. They add up to 1. The rate varies from a third
 * of the mean at night to more than three times the mean in the afternoon's rush.
 */
export function minuteShares(): Float64Array {
  const shape = Float64Array.from({ length: MINUTES }, (_, minute) => {
    const day = 1 - (2 / 3) * Math.cos((2 * Math.PI * (minute - NIGHT)) / MINUTES);
    return day * (minute % 60 < RUSH_MINUTES ? RUSH : 1);
  });
  const sum = shape.reduce((total, one) => total + one, 0);
  return shape.map((one) => one / sum);
}

const WORST_SHARE = Math.max(...minuteShares());
export const WORST_MINUTE = minuteShares().indexOf(WORST_SHARE);

/** Returns the messages a second in the busiest minute. */
export function peakPerSecond(messagesPerDay: number): number {
  return (messagesPerDay * WORST_SHARE) / 60;
}

/** Returns the expected number of teams in a batch of messages. */
export function expectedTeams(shares: Float64Array, messages: number): number {
  return shares.reduce((sum, share) => sum + 1 - (1 - share) ** messages, 0);
}

/**
 * Returns every resource's demand in the day's worst minute. Every demand grows with the rate, so
 * the worst minute is the minute with the highest rate.
 */
export function simulateDay(load: Load): { resource: Resource; needed: number }[] {
  const worst = worstMoments(load)(load.messagesPerDay);
  return RESOURCES.map((resource) => ({ resource, needed: resource.needed(worst) }));
}

/** Returns a function that describes the worst minute of a day with a given number of messages. */
function worstMoments({ teams, exponent }: Omit<Load, "messagesPerDay">) {
  const shares = zipfShares(teams, exponent);
  const [largestShare = 0] = shares;
  /** The number of teams in one batch, and the probability that the largest team is one of them. */
  const sharesPerBatch = expectedTeams(shares, ASSUMED.batchMessages);
  const largestPerBatch = 1 - (1 - largestShare) ** ASSUMED.batchMessages;
  // New teams go to two core databases in turn. So the busier database has the largest team and
  // every second team after it.
  const half = shares.filter((_, rank) => rank % 2 === 0);
  return (messagesPerDay: number) => {
    const perSecond = peakPerSecond(messagesPerDay);
    /** Attempts per second, and queue batches per second that carry them. */
    const attempts = perSecond * ASSUMED.attempts;
    const batches = attempts / ASSUMED.batchMessages;
    const asked = attempts * ASSUMED.leftShare * ASSUMED.asksEach;
    /** The queue messages per second by which a team's ledger asks the gateway for outcomes. */
    const asksOf = (share: number): number => Math.min(share * asked, 1 / MEASURED.askRoundSeconds);
    const sum = (one: (share: number) => number): number =>
      shares.reduce((total, share) => total + one(share), 0);
    return {
      teams,
      messagesPerDay,
      perSecond,
      largestShare,
      attempts,
      batches,
      sharesPerBatch,
      largestPerBatch,
      asks: sum(asksOf),
      largestAsks: asksOf(largestShare),
      /** Number of teams with unfinished work. */
      activeTeams: sum((share) => 1 - Math.exp(-share * perSecond * MEASURED.reportSeconds)),
      /** The reads of the only core database, and of the busier one of two. */
      core: readsOf(shares, perSecond),
      halfCore: readsOf(half, perSecond),
      /** Size of the shards at the end of the retention. */
      chunkGigabytes: (messagesPerDay * storedChunkBytes()) / GIGABYTE,
      suppressionGigabytes: (messagesPerDay * storedSuppressionBytes()) / GIGABYTE,
    };
  };
}

/**
 * Returns the milliseconds of SQL per second that these teams' mail takes of a core database: for
 * the reads of isolates, which replicas can answer, and for everything else.
 */
function readsOf(shares: Float64Array, perSecond: number) {
  // An isolate reads a key at most once a minute, even if the team sends far more often. The limit
  // is the same for a template, for the team's ledger and for its webhook's outbox.
  const sumOf = (most: number, part = 1): number =>
    shares.reduce((sum, share) => sum + Math.min(share * perSecond * part, most), 0);
  const often = ASSUMED.isolates / MEASURED.cacheSeconds;
  const keys = sumOf(often) * MEASURED.coreQueriesPerMiss;
  const templates = sumOf(often * ASSUMED.templatesPerTeam, ASSUMED.templatedShare);
  const ledgers = sumOf(1 / MEASURED.cacheSeconds);
  const ofLedgers = ledgers * MEASURED.coreQueriesPerLedger;
  const ofOutboxes = ledgers * ASSUMED.webhookShare * MEASURED.coreQueriesPerOutbox;
  const keyUses = sumOf(1 / MEASURED.keyUseSeconds);
  return {
    ofIsolates: (keys + templates) * ASSUMED.queryMilliseconds,
    // Each isolate also reads the primary once a minute, to get the bookmark for its other reads.
    ofPrimary: (ofLedgers + ofOutboxes + keyUses + often) * ASSUMED.queryMilliseconds,
  };
}

/** Returns how many bytes of chunks are stored if one message is sent every day, without end. */
export function storedChunkBytes(): number {
  return MEASURED.messageBytes * MEASURED.chunkDays;
}

/**
 * Returns how many bytes of suppressions are stored if one message is sent every day, without end.
 */
export function storedSuppressionBytes(): number {
  return ASSUMED.suppressingShare * MEASURED.suppressionBytes * MEASURED.suppressionDays;
}

/**
 * Returns how many messages one team may send every day, without end, on this many shards of its
 * own. All its suppressions are on the first shard.
 */
export function largestTeamPerDay(shards: number): number {
  const bytes = PLATFORM.databaseGigabytes * GIGABYTE;
  return bytes / (storedChunkBytes() / shards + storedSuppressionBytes());
}

/**
 * Returns the messages a day at which all available units of the resource are used up, if the
 * shares of teams and minutes stay the same. Infinity: this never happens.
 */
export function saturatesAt(load: Load, { needed, limit, available }: Resource): number {
  const worstOf = worstMoments(load);
  const isBeyond = (messagesPerDay: number): boolean =>
    limit !== null && needed(worstOf(messagesPerDay)) > limit * available;
  // If FEWEST messages already exceed the limit, the number of messages does not decide. If MOST
  // messages stay below it, sending never uses the resource up.
  if (isBeyond(FEWEST) || !isBeyond(MOST)) return Number.POSITIVE_INFINITY;
  let [low, high] = [FEWEST, MOST];
  while (high / low > PRECISION) {
    const middle = Math.sqrt(low * high);
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** A resource whose demand depends on the minute of the day. */
const inMinute = (unit: string, limit: number | null, remedy: string, available = 1) => ({
  unit,
  limit,
  remedy,
  available,
  hasMinute: true,
});
const inDay = (unit: string, limit: number, remedy: string, available = 1) => ({
  ...inMinute(unit, limit, remedy, available),
  hasMinute: false,
});
const database = (remedy: string, available = 1) =>
  inMinute("ms/s of SQL", PLATFORM.databaseMillisecondsPerSecond, remedy, available);
const queue = inMinute("msg/s", PLATFORM.queueMessagesPerSecond, "several queues");
const isolates = `${ASSUMED.isolates} isolates`;
const ANY_NUMBER = Number.POSITIVE_INFINITY;

export const RESOURCES: readonly Resource[] = [
  {
    name: "Email Service, daily quota",
    ...inDay("msg/day", PLATFORM.emailServicePerDay, "ask Cloudflare, or a gateway"),
    needed: ({ messagesPerDay }) => messagesPerDay,
  },
  {
    name: "DNS records of the service's zone",
    ...inDay("records", PLATFORM.zoneRecords, "none yet"),
    needed: ({ teams }) =>
      teams * ASSUMED.domainsPerTeam * MEASURED.recordsPerDomain + ASSUMED.otherRecords,
  },
  {
    name: "largest team's ledger, calls",
    ...inMinute("calls/s", PLATFORM.objectCallsPerSecond, "several teams"),
    needed: ({ perSecond, largestShare, batches, largestPerBatch, largestAsks }) =>
      perSecond * largestShare * (1 + ASSUMED.laterEvents) +
      batches * largestPerBatch * MEASURED.ledgerCallsPerShare +
      largestAsks * MEASURED.ledgerCallsPerAsk,
  },
  {
    name: "largest team's ledger, commits",
    ...inMinute("msg/s", MEASURED.ledgerMessagesPerSecond, "several teams"),
    needed: ({ perSecond, largestShare }) => perSecond * largestShare,
  },
  {
    name: "core database",
    ...database("more core databases"),
    needed: ({ core }) => core.ofPrimary,
  },
  {
    name: `core database without replicas, ${isolates}`,
    ...database("replicas"),
    needed: ({ core }) => core.ofPrimary + core.ofIsolates,
  },
  {
    name: `core database, its busiest replica, ${isolates}`,
    ...database("more core databases"),
    needed: ({ core }) => core.ofIsolates * ASSUMED.busiestRegionShare,
  },
  {
    name: `busier of two core databases without replicas, ${isolates}`,
    ...database("replicas"),
    needed: ({ halfCore }) => halfCore.ofPrimary + halfCore.ofIsolates,
  },
  {
    name: `busier of two core databases, its busiest replica, ${isolates}`,
    ...database("more core databases"),
    needed: ({ halfCore }) => halfCore.ofIsolates * ASSUMED.busiestRegionShare,
  },
  {
    name: "shards, SQL",
    ...database("more shards", SHARDS),
    // Only the chunks of busy teams are counted, because a quiet team adds only one chunk a day.
    needed: ({ perSecond, batches, sharesPerBatch }) =>
      ((perSecond * (ASSUMED.deliveryEvents + ASSUMED.laterEvents)) / MEASURED.chunkEvents) *
        MEASURED.pageMilliseconds +
      batches * sharesPerBatch * MEASURED.shardQueriesPerShare * ASSUMED.queryMilliseconds,
  },
  {
    name: "queue postern-deliver, messages",
    ...queue,
    needed: ({ attempts, asks }) => attempts + asks,
  },
  {
    name: "queue postern-deliver, consumers",
    ...inMinute("at once", PLATFORM.queueConsumers, "larger batches"),
    needed: ({ attempts, asks }) => ((attempts + asks) * MEASURED.consumerMilliseconds) / 1_000,
  },
  {
    name: "queue postern-webhook, messages",
    ...queue,
    needed: ({ batches, sharesPerBatch }) =>
      batches * sharesPerBatch * ASSUMED.webhookShare * ASSUMED.retriedShare,
  },
  {
    name: "gateway, connections",
    ...inMinute("open", MEASURED.gatewayConnections, "more hosts", ANY_NUMBER),
    needed: ({ attempts }) => attempts * ASSUMED.transactionSeconds,
  },
  {
    name: "gateway, messages",
    ...inMinute("msg/s", MEASURED.gatewayMessagesPerSecond, "more hosts", ANY_NUMBER),
    needed: ({ attempts }) => attempts,
  },
  {
    name: "metrics object",
    ...inMinute("calls/s", PLATFORM.objectCallsPerSecond, "reports less often"),
    needed: ({ activeTeams }) =>
      ASSUMED.isolates / MEASURED.flushSeconds +
      (activeTeams * (1 + ASSUMED.webhookShare)) / MEASURED.reportSeconds,
  },
  {
    name: "R2, content over 1 MB",
    ...inMinute("writes/s", PLATFORM.bucketWritesPerSecond, ""),
    needed: ({ perSecond }) => perSecond * ASSUMED.largeShare,
  },
  {
    name: "largest team's chunks",
    ...inDay("GB", PLATFORM.databaseGigabytes, "more shards for it", SHARDS),
    needed: ({ chunkGigabytes, largestShare }) => chunkGigabytes * largestShare,
  },
  {
    name: "largest team's suppressions",
    ...inDay("GB", PLATFORM.databaseGigabytes, "several teams"),
    needed: ({ suppressionGigabytes, largestShare }) => suppressionGigabytes * largestShare,
  },
  {
    name: "shards, size",
    ...inDay("GB", PLATFORM.databaseGigabytes, "more shards", SHARDS),
    needed: ({ chunkGigabytes, suppressionGigabytes }) => chunkGigabytes + suppressionGigabytes,
  },
  {
    name: "the account's databases",
    ...inDay("GB", PLATFORM.accountGigabytes, "ask Cloudflare"),
    needed: ({ chunkGigabytes, suppressionGigabytes }) => chunkGigabytes + suppressionGigabytes,
  },
  {
    name: "sweep over the ledgers",
    ...inDay("h a round", MEASURED.sweepWithinHours, "more a sweep"),
    needed: ({ teams }) => teams / MEASURED.ledgersPerSweep / MEASURED.sweepsPerHour,
  },
];
