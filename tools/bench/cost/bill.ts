// The bill of a load: counts for each message, and the price of a million such messages at list
// prices.
import type { BenchRow } from "../harness/bench-result.ts";
import { EMAIL_SERVICE, OBJECT_GIGABYTES, OTHERS, PRICES, SES } from "./prices.ts";
import type { TallyReading, CostTally } from "./tallies.ts";

export interface Bill {
  readonly name: string;
  readonly messages: number;
  readonly reading: TallyReading;
  readonly cpuMs: number;
  /** Growth of the shard's database during the load, in bytes. */
  readonly shardBytes: number;
  readonly goal: Goal | null;
}

/**
 * The goal of a load: the most rows for one message, and the most dollars for a million messages.
 * Null means that only rows have a goal.
 */
export interface Goal {
  readonly rows: number;
  readonly dollars: number | null;
}

interface Item {
  readonly name: string;
  /** The counts for one message, as text. */
  readonly counted: string;
  /** Dollars for a million messages. */
  readonly dollars: number;
}

const BYTES_GOAL = 220;
const MILLION = 1_000_000;
/** A statement is listed if it writes at least this many rows per message. */
const LEAST_ROWS = 0.05;
/** The Email Service's price of a million messages in a month. */
const EMAIL_SERVICE_DOLLARS = (MILLION - EMAIL_SERVICE.included) * EMAIL_SERVICE.message;
const INFORMATION = { against: "", ratio: null, goal: null, met: null } as const;

/** Returns the table's rows that have goals. */
export function totalRows(bill: Bill): BenchRow[] {
  const items = [...dataItems(bill), ...restItems(bill)];
  const dollars = totalOf(items);
  const most = bill.goal?.dollars ?? null;
  const parts = [
    `rows, objects and queues ${price(totalOf(dataItems(bill)))}`,
    ...restItems(bill).map((item) => `${item.name} ${price(item.dollars)}`),
  ];
  const bytes = bill.shardBytes / bill.messages;
  return [
    rowsRow(bill),
    {
      work: "price of a million messages by one's own gateway, without its host",
      measured: `${price(dollars)} (${parts.join(", ")})`,
      against: `${SES.name}: ${price(SES.dollars)}`,
      ratio: dollars / SES.dollars,
      goal: most === null ? null : `≤ ${price(most)}`,
      met: most === null ? null : dollars <= most,
    },
    {
      work: "price of a million messages by the Email Service",
      measured: price(dollars + EMAIL_SERVICE_DOLLARS),
      ...INFORMATION,
      against: `${SES.name}: ${price(SES.dollars)}`,
      ratio: (dollars + EMAIL_SERVICE_DOLLARS) / SES.dollars,
    },
    {
      work: "stored for a month, for each message",
      measured: `${Math.round(bytes)} bytes`,
      against: "",
      ratio: null,
      goal: `≤ ${BYTES_GOAL} bytes`,
      met: bytes <= BYTES_GOAL,
    },
  ];
}

/** Rows written for each message. */
export function rowsOf({ messages, reading }: Bill): number {
  return sum(reading.rowsWritten) / messages;
}

export function rowsRow(bill: Bill): BenchRow {
  const { name, messages, reading, goal } = bill;
  const written = rowsOf(bill);
  return {
    work: `${name}: rows written`,
    measured: `${written.toFixed(2)} (${sources(reading.rowsWritten, messages)})`,
    against: "",
    ratio: null,
    goal: goal && `≤ ${goal.rows}`,
    met: goal && written <= goal.rows,
  };
}

/**
 * Counts the databases' queries. They are free, but their number is limited
 * (scale/platform-limits.ts).
 */
export function queriesRow({ name, messages, reading }: Bill): BenchRow {
  const each = Object.entries(reading.databaseQueries).map(([database, queries]) => {
    const ms = (reading.databaseMs[database] ?? 0) / queries;
    return `${database} ${(queries / messages).toFixed(2)} of ${ms.toFixed(2)} ms`;
  });
  return { work: `${name}: the databases' statements`, measured: each.join(", "), ...INFORMATION };
}

/** Lists all counts of one bill, and the prices of other services for the same messages. */
export function detailRows(bill: Bill): BenchRow[] {
  const items = [...dataItems(bill), ...restItems(bill)];
  const total = totalOf(items);
  return [
    ...items.map(({ name, counted, dollars }) => ({
      work: `${bill.name}: ${name}`,
      measured: counted,
      ...INFORMATION,
      against: `${price(dollars)} a million`,
    })),
    ...OTHERS.map((other) => ({
      work: `${bill.name}: all`,
      measured: price(total),
      ...INFORMATION,
      against: `${other.name}: ${price(other.dollars)}`,
      ratio: total / other.dollars,
    })),
  ];
}

/**
 * Lists the statements that write rows, those with the most rows first. Each line has the rows per
 * message in each bill.
 */
export function statementRows(bills: readonly Bill[]): BenchRow[] {
  const rows = (statement: string): number[] =>
    bills.map(({ messages, reading }) => (reading.rowsWrittenBy[statement] ?? 0) / messages);
  const most = (statement: string): number => Math.max(...rows(statement));
  const statements = new Set(bills.flatMap(({ reading }) => Object.keys(reading.rowsWrittenBy)));
  return [...statements]
    .filter((statement) => most(statement) >= LEAST_ROWS)
    .toSorted((left, right) => most(right) - most(left))
    .map((statement) => ({
      work: `rows of ${statement}`,
      measured: rows(statement)
        .map((each) => each.toFixed(2))
        .join(" · "),
      ...INFORMATION,
    }));
}

function dataItems({ messages, reading }: Bill): Item[] {
  const item = itemOf(messages);
  const { rowsWritten, rowsRead, objectRequests, queueWrites, queueReads, queueDeletes } = reading;
  const { objectMs, objectWaitMs } = reading;
  const a = (value: number): string => (value / messages).toFixed(3);
  const gigabyteSeconds = ((sum(objectMs) + sum(objectWaitMs)) / 1_000) * OBJECT_GIGABYTES;
  return [
    item("rows written", sum(rowsWritten), PRICES.rowWritten, sources(rowsWritten, messages)),
    item("rows read", sum(rowsRead), PRICES.rowRead, sources(rowsRead, messages)),
    item(
      "objects' calls and alarms",
      sum(objectRequests),
      PRICES.objectRequest,
      sources(objectRequests, messages),
    ),
    {
      name: "objects' time",
      counted:
        `${((gigabyteSeconds * 1_000) / messages).toFixed(3)} GB-ms ` +
        `(${sources(objectMs, messages)}, in ms; waits ${sources(objectWaitMs, messages)})`,
      dollars: (gigabyteSeconds * PRICES.objectGigabyteSecond * MILLION) / messages,
    },
    item(
      "queue operations",
      queueWrites + queueReads + queueDeletes,
      PRICES.queueOperation,
      `${a(queueWrites)} writes, ${a(queueReads)} reads, ${a(queueDeletes)} deletes`,
    ),
  ];
}

function restItems({ messages, reading, cpuMs, shardBytes }: Bill): Item[] {
  const item = itemOf(messages);
  const { workerRequests, queueInvocations, bucketWrites, bucketReads, logLines, objectRequests } =
    reading;
  const a = (value: number): string => (value / messages).toFixed(3);
  const invocations = workerRequests + queueInvocations + sum(objectRequests);
  return [
    item(
      "requests",
      workerRequests + queueInvocations,
      PRICES.workerRequest,
      `HTTP ${a(workerRequests)}, the queues' consumer ${a(queueInvocations)}`,
    ),
    {
      name: "processor",
      counted: `${cpuMs.toFixed(2)} ms, all of workerd`,
      dollars: cpuMs * MILLION * PRICES.workerCpuMs,
    },
    item(
      "log events",
      logLines,
      PRICES.logEvent,
      `lines; the ${a(invocations)} invocations are not logged`,
    ),
    {
      name: "R2",
      counted: `${a(bucketWrites)} writes, ${a(bucketReads)} reads`,
      dollars:
        ((bucketWrites * PRICES.bucketWrite + bucketReads * PRICES.bucketRead) * MILLION) /
        messages,
    },
    {
      name: "a month of history",
      counted: `${Math.round(shardBytes / messages)} bytes`,
      dollars: (shardBytes / 1e9 / messages) * MILLION * PRICES.databaseGigabyte,
    },
  ];
}

function itemOf(
  messages: number,
): (name: string, total: number, each: number, parts: string) => Item {
  return (name, total, each, parts) => ({
    name,
    counted: `${(total / messages).toFixed(2)} (${parts})`,
    dollars: (total * each * MILLION) / messages,
  });
}

function totalOf(items: readonly Item[]): number {
  return items.reduce((total, { dollars }) => total + dollars, 0);
}

function price(dollars: number): string {
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: dollars < SES.dollars ? 2 : 0, maximumFractionDigits: dollars < SES.dollars ? 2 : 0 })}`;
}

/** Lists each source's count for one message, the largest first. Negligible counts are left out. */
function sources(tally: CostTally, messages: number): string {
  return Object.entries(tally)
    .map(([name, value]) => [name, value / messages] as const)
    .filter(([, each]) => each >= 0.005)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, each]) => `${name} ${each.toFixed(2)}`)
    .join(", ");
}

function sum(tally: CostTally): number {
  return Object.values(tally).reduce((total, one) => total + one, 0);
}
