// The bill of a load: counts for each message, and the price of a million such messages at list
// prices.
import { atMost, type BenchRow } from "../harness/bench-result.ts";
import { EMAIL_SERVICE, OBJECT_GIGABYTES, PRICES, SES } from "./prices.ts";
import type { TallyReading, CostTally } from "./tallies.ts";

export interface Bill {
  readonly name: string;
  readonly messages: number;
  readonly reading: TallyReading;
  readonly cpuMs: number;
  /** Growth of the shard's database during the load, in bytes. */
  readonly shardBytes: number;
  readonly goal: Goal;
}

/**
 * The goal of a load: the most rows for one message, and the most dollars for a million messages.
 */
export interface Goal {
  readonly rows?: number;
  readonly dollars?: number;
}

const BYTES_GOAL = 220;
const MILLION = 1_000_000;
/** The Email Service's price of a million messages in a month. */
const EMAIL_SERVICE_DOLLARS = (MILLION - EMAIL_SERVICE.included) * EMAIL_SERVICE.message;

/** Returns the rows for written rows, for the price by each courier, and for storage. */
export function billRows(bill: Bill): BenchRow[] {
  const items = itemsOf(bill);
  const dollars = Object.values(items).reduce((total, one) => total + one, 0);
  const parts = Object.entries(items).map(([name, one]) => `${name} ${price(one)}`);
  const most = bill.goal.dollars;
  const bytes = bill.shardBytes / bill.messages;
  const priceRow = (courier: string, all: number): BenchRow => ({
    work: `price of a million messages by ${courier}`,
    measured: price(all),
    against: `${SES.name}: ${price(SES.dollars)}`,
    ratio: all / SES.dollars,
  });
  return [
    rowsRow(bill),
    {
      ...priceRow("one's own gateway, without its host", dollars),
      measured: `${price(dollars)} (${parts.join(", ")})`,
      ...(most !== undefined && { goal: `≤ ${price(most)}`, met: dollars <= most }),
    },
    priceRow("the Email Service", dollars + EMAIL_SERVICE_DOLLARS),
    {
      work: "stored for a month, for each message",
      measured: `${Math.round(bytes)} bytes`,
      ...atMost(BYTES_GOAL, bytes, " bytes"),
    },
  ];
}

/** Rows written for each message. */
export function rowsOf({ messages, reading }: Bill): number {
  return Object.values(reading.rowsWritten).reduce((sum, one) => sum + one, 0) / messages;
}

export function rowsRow(bill: Bill): BenchRow {
  const written = rowsOf(bill);
  const sources = sourcesOf(bill.reading.rowsWritten, bill.messages);
  return {
    work: `${bill.name}: rows written`,
    measured: `${written.toFixed(2)} (${sources})`,
    ...(bill.goal.rows !== undefined && atMost(bill.goal.rows, written, "")),
  };
}

/**
 * Counts the queries to each database. They are free, but a database's time is limited
 * (scale/platform-limits.ts). `most` is the goal for the core database.
 */
export function queriesRow({ name, messages, reading }: Bill, most: number): BenchRow {
  const each = Object.entries(reading.databaseQueries).map(([database, queries]) => {
    const ms = (reading.databaseMs[database] ?? 0) / queries;
    return `${database} ${(queries / messages).toFixed(4)} of ${ms.toFixed(2)} ms`;
  });
  const core = (reading.databaseQueries["DB"] ?? 0) / messages;
  return {
    work: `${name}: queries of each database`,
    measured: each.join(", "),
    ...atMost(most, core, " of DB"),
  };
}

/** Returns the dollars of each item for a million messages. */
function itemsOf(bill: Bill): Readonly<Record<string, number>> {
  const { messages, reading, cpuMs, shardBytes } = bill;
  const each = (total: number, unit: number): number => (total * unit * MILLION) / messages;
  const gigabyteSeconds = (reading.objectMs / 1_000) * OBJECT_GIGABYTES;
  return {
    "rows written": rowsOf(bill) * PRICES.rowWritten * MILLION,
    "rows read": each(reading.rowsRead, PRICES.rowRead),
    "objects' calls": each(reading.objectRequests, PRICES.objectRequest),
    "objects' time": each(gigabyteSeconds, PRICES.objectGigabyteSecond),
    "queue operations": each(reading.queueOperations, PRICES.queueOperation),
    requests: each(reading.requests, PRICES.workerRequest),
    processor: cpuMs * MILLION * PRICES.workerCpuMs,
    "log lines": each(reading.logLines, PRICES.logEvent),
    "R2 writes": each(reading.bucketWrites, PRICES.bucketWrite),
    "R2 reads": each(reading.bucketReads, PRICES.bucketRead),
    "a month of history": each(shardBytes / 1e9, PRICES.databaseGigabyte),
  };
}

export function price(dollars: number): string {
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Lists each source's count for one message, the largest first. Negligible counts are left out. */
function sourcesOf(tally: CostTally, messages: number): string {
  return Object.entries(tally)
    .map(([name, value]) => [name, value / messages] as const)
    .filter(([, each]) => each >= 0.005)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, each]) => `${name} ${each.toFixed(2)}`)
    .join(", ");
}
