// A day of a deployment as arithmetic: teams whose shares follow Zipf's law, minutes that follow a
// day's and an hour's rhythm, and what each minute asks of each resource. Nothing is sent and
// nothing is random: the same load is the same table.
import { ASSUMED, MEASURED, PLATFORM } from "./platform-limits.ts";
import { type Moment, type Resource, RESOURCES } from "./resources.ts";

export interface Load {
  readonly teams: number;
  /** One recipient each. */
  readonly messagesPerDay: number;
  /** Of Zipf's law: the n-th largest team sends 1/n^exponent of what the largest does. */
  readonly exponent: number;
}

export interface Demand {
  readonly resource: Resource;
  /** At the worst minute, or at the end of the retention. */
  readonly needed: number;
  /** Of the day; null: not of a minute. */
  readonly minute: number | null;
}

const MINUTES = 1_440;
const NIGHT = 4 * 60;
/** Programs that send on the hour: for so many minutes so many times as much. */
const RUSH_MINUTES = 5;
const RUSH = 2;
const DAY_SECONDS = 86_400;
const GIGABYTE = 1e9;
/** Between which messages a day it is looked for where something is used up, and how closely. */
const FEWEST = 1;
const MOST = 1e13;
const PRECISION = 1.001;

/** Each team's share, the largest first; they add up to 1. */
export function zipfShares(teams: number, exponent: number): Float64Array {
  const shares = Float64Array.from({ length: teams }, (_, rank) => 1 / (rank + 1) ** exponent);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/**
 * Each minute's share of a day's messages; they add up to 1. From a third of the mean at night to
 * more than three times it in the afternoon's rush.
 */
export function minuteShares(): Float64Array {
  const shape = Float64Array.from({ length: MINUTES }, (_, minute) => {
    const day = 1 - (2 / 3) * Math.cos((2 * Math.PI * (minute - NIGHT)) / MINUTES);
    return day * (minute % 60 < RUSH_MINUTES ? RUSH : 1);
  });
  const sum = shape.reduce((total, one) => total + one, 0);
  return shape.map((one) => one / sum);
}

/** How many teams a batch of messages is expected to be of. */
export function teamsInBatch(shares: Float64Array, messages: number): number {
  return shares.reduce((sum, share) => sum + 1 - (1 - share) ** messages, 0);
}

/** The worst minute of every resource. */
export function simulateDay(load: Load): Demand[] {
  const momentAt = moments(load);
  const day = Array.from(minuteShares(), (part) => momentAt((load.messagesPerDay * part) / 60));
  return RESOURCES.map((resource) => {
    const needs = day.map((moment) => resource.needed(moment));
    const needed = Math.max(...needs);
    return { resource, needed, minute: resource.hasMinute ? needs.indexOf(needed) : null };
  });
}

/** What a load is while so many messages a second are sent by all its teams together. */
function moments({ teams, messagesPerDay, exponent }: Load): (perSecond: number) => Moment {
  const shares = zipfShares(teams, exponent);
  const [largest = 0] = shares;
  const sharesPerBatch = teamsInBatch(shares, ASSUMED.batchMessages);
  const largestPerBatch = 1 - (1 - largest) ** ASSUMED.batchMessages;
  const pageGigabytes = (messagesPerDay * pageBytesKept()) / GIGABYTE;
  const suppressionGigabytes = (messagesPerDay * suppressionBytesKept()) / GIGABYTE;
  const lasting = {
    teams,
    sharesPerBatch,
    largestPerBatch,
    largestShare: largest,
    pageGigabytes,
    suppressionGigabytes,
  };
  // An isolate reads a team once a minute, however much it sends; so does the team's ledger.
  const readsPerSecond = ASSUMED.isolates / MEASURED.cacheSeconds;
  return (perSecond) => {
    const attempts = perSecond * ASSUMED.attempts;
    let [misses, ledgerReads, activeTeams] = [0, 0, 0];
    for (const share of shares) {
      misses += Math.min(share * perSecond, readsPerSecond);
      ledgerReads += Math.min(share * perSecond, 1 / MEASURED.cacheSeconds);
      activeTeams += 1 - Math.exp(-share * perSecond * MEASURED.reportSeconds);
    }
    const batches = attempts / ASSUMED.batchMessages;
    return { ...lasting, perSecond, attempts, batches, misses, ledgerReads, activeTeams };
  };
}

/** Of a message a day, for ever: what lies in pages of it. */
export function pageBytesKept(): number {
  return MEASURED.messageBytes * MEASURED.pageDays;
}

/** The same of its suppressions. */
export function suppressionBytesKept(): number {
  return ASSUMED.suppressingShare * MEASURED.suppressionBytes * MEASURED.suppressionDays;
}

/**
 * How many messages a day a single team may send for ever before it outgrows so many shards of its
 * own, its suppressions being on the first.
 */
export function largestTeamPerDay(shards: number): number {
  const bytes = PLATFORM.databaseGigabytes * GIGABYTE;
  return Math.min(
    bytes / (pageBytesKept() / shards + suppressionBytesKept()),
    bytes / suppressionBytesKept(),
  );
}

/**
 * The messages a day, of teams and minutes of the same shape, at which so many as there can be of
 * the resource are used up; Infinity: at none.
 */
export function saturatesAt(load: Load, { needed, limit, available }: Resource): number {
  // Every need grows with the rate, so that its worst minute is the day's.
  const isBeyond = (messagesPerDay: number): boolean =>
    limit !== null &&
    needed(moments({ ...load, messagesPerDay })(peakPerSecond(messagesPerDay))) > limit * available;
  // What is so whatever is sent is nothing that sending uses up.
  if (isBeyond(FEWEST) || !isBeyond(MOST)) return Number.POSITIVE_INFINITY;
  let [low, high] = [FEWEST, MOST];
  while (high / low > PRECISION) {
    const middle = Math.sqrt(low * high);
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The busiest minute's messages a second. */
export function peakPerSecond(messagesPerDay: number): number {
  return (messagesPerDay * WORST_SHARE) / 60;
}

/** The mean over the day. */
export function meanPerSecond(messagesPerDay: number): number {
  return messagesPerDay / DAY_SECONDS;
}

const WORST_SHARE = Math.max(...minuteShares());
