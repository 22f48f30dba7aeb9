// Models a day of a deployment by arithmetic. The teams' shares follow Zipf's law. The minutes
// follow a daily and an hourly rhythm. Each minute has a demand on each resource. The model sends
// nothing and uses no randomness, so the same load gives the same table. Pure.
import { ASSUMED, MEASURED, PLATFORM } from "./platform-limits.ts";
import {
  CORE_DATABASES,
  type CoreReads,
  type Moment,
  type Resource,
  RESOURCES,
} from "./resources.ts";

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

export interface Demand {
  readonly resource: Resource;
  /** The demand in the worst minute. For storage: the demand at the end of the retention. */
  readonly needed: number;
  /** Minute of the day. Null: the demand does not depend on the minute. */
  readonly minute: number | null;
}

const MINUTES = 1_440;
const NIGHT = 4 * 60;
/**
 * Programs that send on the hour multiply the rate by RUSH during the hour's first RUSH_MINUTES.
 */
const RUSH_MINUTES = 5;
const RUSH = 2;
const DAY_SECONDS = 86_400;
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

/** Returns the expected number of teams in a batch of messages. */
export function expectedTeams(shares: Float64Array, messages: number): number {
  return shares.reduce((sum, share) => sum + 1 - (1 - share) ** messages, 0);
}

/**
 * Returns every resource's demand in the day's worst minute. Every demand grows with the rate, so
 * the worst minute is the minute with the highest rate.
 */
export function simulateDay(load: Load): Demand[] {
  const worst = worstMoments(load)(load.messagesPerDay);
  return RESOURCES.map((resource) => ({
    resource,
    needed: resource.needed(worst),
    minute: resource.hasMinute ? WORST_MINUTE : null,
  }));
}

/** Returns a function that describes the worst minute of a day with a given number of messages. */
function worstMoments({
  teams,
  exponent,
}: Omit<Load, "messagesPerDay">): (messagesPerDay: number) => Moment {
  const shares = zipfShares(teams, exponent);
  const [largest = 0] = shares;
  const sharesPerBatch = expectedTeams(shares, ASSUMED.batchMessages);
  const largestPerBatch = 1 - (1 - largest) ** ASSUMED.batchMessages;
  const lasting = { teams, sharesPerBatch, largestPerBatch, largestShare: largest };
  // New teams go to the n core databases in turn. So the busiest database has the largest team and
  // every n-th team after it.
  const busiest = new Map(
    CORE_DATABASES.map((cores) => [cores, shares.filter((_, rank) => rank % cores === 0)]),
  );
  return (messagesPerDay) => {
    const perSecond = peakPerSecond(messagesPerDay);
    const attempts = perSecond * ASSUMED.attempts;
    const asked = attempts * ASSUMED.leftShare * ASSUMED.asksEach;
    const asksOf = (share: number): number => Math.min(share * asked, 1 / MEASURED.askRoundSeconds);
    let [activeTeams, asks] = [0, 0];
    for (const share of shares) {
      asks += asksOf(share);
      activeTeams += 1 - Math.exp(-share * perSecond * MEASURED.reportSeconds);
    }
    const batches = attempts / ASSUMED.batchMessages;
    const rates = { perSecond, attempts, batches, asks, largestAsks: asksOf(largest) };
    const stored = {
      chunkGigabytes: (messagesPerDay * storedChunkBytes()) / GIGABYTE,
      suppressionGigabytes: (messagesPerDay * storedSuppressionBytes()) / GIGABYTE,
    };
    const coreReads = (cores: number): CoreReads => readsOf(busiest.get(cores)!, perSecond);
    return { messagesPerDay, ...lasting, ...rates, ...stored, activeTeams, coreReads };
  };
}

/**
 * Returns how often these teams' mail reads a core database. An isolate reads a key at most once a
 * minute, even if the team sends far more often. The limit is the same for a template, for the
 * team's ledger and for its webhook's outbox.
 */
function readsOf(shares: Float64Array, perSecond: number): CoreReads {
  const sumOf = (most: number, part = 1): number =>
    shares.reduce((sum, share) => sum + Math.min(share * perSecond * part, most), 0);
  const templateReads = (isolates: number): number =>
    sumOf((isolates / MEASURED.cacheSeconds) * ASSUMED.templatesPerTeam, ASSUMED.templatedShare);
  return {
    isolateReads: (isolates) =>
      sumOf(isolates / MEASURED.cacheSeconds) * MEASURED.coreQueriesPerMiss +
      templateReads(isolates),
    templateReads: templateReads(ASSUMED.isolates),
    ledgerReads: sumOf(1 / MEASURED.cacheSeconds),
    keyUses: sumOf(1 / MEASURED.keyUseSeconds),
  };
}

/** Returns how many bytes of pages are stored if one message is sent every day, without end. */
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
  return Math.min(
    bytes / (storedChunkBytes() / shards + storedSuppressionBytes()),
    bytes / storedSuppressionBytes(),
  );
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

/** Returns the messages a second in the busiest minute. */
export function peakPerSecond(messagesPerDay: number): number {
  return (messagesPerDay * WORST_SHARE) / 60;
}

/** Returns the messages a second, averaged over the day. */
export function meanPerSecond(messagesPerDay: number): number {
  return messagesPerDay / DAY_SECONDS;
}

const WORST_SHARE = Math.max(...minuteShares());
const WORST_MINUTE = minuteShares().indexOf(WORST_SHARE);
