// The bill of a load: what was counted of it, a message, and what a million of such messages come to at list prices.
import type { Row } from "../report.ts";
import { OBJECT_GIGABYTES, OTHERS, PRICES, SES } from "./prices.ts";
import type { Reading, Tally } from "./tallies.ts";

export interface Bill {
  readonly name: string;
  readonly messages: number;
  readonly reading: Reading;
  readonly cpuMs: number;
  readonly historyBytes: number;
}

interface Item {
  readonly name: string;
  /** A message. */
  readonly counted: string;
  /** A million messages. */
  readonly dollars: number;
}

const ROWS_GOAL = 10;
const DOLLARS_GOAL = 15;
const MILLION = 1_000_000;
/** Rows a message: what writes fewer is not told of. */
const LEAST_ROWS = 0.05;
const INFORMATION = { against: "", ratio: null, goal: null, met: null } as const;

/** What the goals are about, and what comes on top. */
export function totalRows(bill: Bill): Row[] {
  const { name, messages, reading } = bill;
  const written = sum(reading.rowsWritten) / messages;
  const dollars = totalOf(dataItems(bill));
  const rest = restItems(bill);
  return [
    {
      work: `${name}: rows written`,
      measured: `${written.toFixed(2)} (${sources(reading.rowsWritten, messages)})`,
      against: "",
      ratio: null,
      goal: `≤ ${ROWS_GOAL}`,
      met: written <= ROWS_GOAL,
    },
    {
      work: "… a million, D1, objects, queues",
      measured: price(dollars),
      against: `${SES.name}: ${price(SES.dollars)}`,
      ratio: dollars / SES.dollars,
      goal: `≤ $${DOLLARS_GOAL}`,
      met: dollars <= DOLLARS_GOAL,
    },
    {
      work: "… with all else",
      measured: `${price(dollars + totalOf(rest))} (${rest.map((item) => `${item.name} ${price(item.dollars)}`).join(", ")})`,
      ...INFORMATION,
    },
  ];
}

/** Everything counted for one of the bills, and what others ask for as much. */
export function detailRows(bill: Bill): Row[] {
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

/** The statements that write the most rows in `bill`, and what they write in another. */
export function statementRows(bill: Bill, other: Bill): Row[] {
  const most = Object.entries(bill.reading.rowsWrittenBy)
    .filter(([, rows]) => rows / bill.messages >= LEAST_ROWS)
    .toSorted(([, left], [, right]) => right - left);
  return most.map(([statement, rows]) => ({
    work: `rows of ${statement}`,
    measured: `${(rows / bill.messages).toFixed(2)} (${bill.name})`,
    ...INFORMATION,
    against: `${((other.reading.rowsWrittenBy[statement] ?? 0) / other.messages).toFixed(2)} (${other.name})`,
  }));
}

function dataItems({ messages, reading }: Bill): Item[] {
  const item = itemOf(messages);
  const { rowsWritten, rowsRead, objectRequests, objectMs, queueWrites, queueReads, queueDeletes } = reading;
  const a = (value: number): string => (value / messages).toFixed(3);
  const gigabyteSeconds = (sum(objectMs) / 1_000) * OBJECT_GIGABYTES;
  return [
    item("rows written", sum(rowsWritten), PRICES.rowWritten, sources(rowsWritten, messages)),
    item("rows read", sum(rowsRead), PRICES.rowRead, sources(rowsRead, messages)),
    item("objects' calls and alarms", sum(objectRequests), PRICES.objectRequest, sources(objectRequests, messages)),
    {
      name: "objects' time",
      counted: `${((gigabyteSeconds * 1_000) / messages).toFixed(3)} GB-ms (${sources(objectMs, messages)}, in ms)`,
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

function restItems({ messages, reading, cpuMs, historyBytes }: Bill): Item[] {
  const item = itemOf(messages);
  const { workerRequests, queueInvocations, bucketWrites, bucketReads, logLines, objectRequests } = reading;
  const a = (value: number): string => (value / messages).toFixed(3);
  const invocations = workerRequests + queueInvocations + sum(objectRequests);
  return [
    item(
      "requests",
      workerRequests + queueInvocations,
      PRICES.workerRequest,
      `HTTP ${a(workerRequests)}, the queues' consumer ${a(queueInvocations)}`,
    ),
    { name: "processor", counted: `${cpuMs.toFixed(2)} ms, all of workerd`, dollars: cpuMs * MILLION * PRICES.workerCpuMs },
    item("log events", invocations + logLines, PRICES.logEvent, `invocations ${a(invocations)}, lines ${a(logLines)}`),
    {
      name: "R2",
      counted: `${a(bucketWrites)} writes, ${a(bucketReads)} reads`,
      dollars: ((bucketWrites * PRICES.bucketWrite + bucketReads * PRICES.bucketRead) * MILLION) / messages,
    },
    {
      name: "a month of history",
      counted: `${Math.round(historyBytes / messages)} bytes`,
      dollars: (historyBytes / 1e9 / messages) * MILLION * PRICES.databaseGigabyte,
    },
  ];
}

function itemOf(messages: number): (name: string, total: number, each: number, parts: string) => Item {
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

/** The largest first; what is next to nothing is left out. */
function sources(tally: Tally, messages: number): string {
  return Object.entries(tally)
    .map(([name, value]) => [name, value / messages] as const)
    .filter(([, each]) => each >= 0.005)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, each]) => `${name} ${each.toFixed(2)}`)
    .join(", ");
}

function sum(tally: Tally): number {
  return Object.values(tally).reduce((total, one) => total + one, 0);
}
