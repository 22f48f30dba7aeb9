// The counts that `bench cost` has collected in the running worker since the last reading.
// counted-worker.ts counts, and bill.ts applies prices.

export interface TallyReading {
  readonly workerRequests: number;
  readonly queueInvocations: number;
  readonly queueWrites: number;
  readonly queueReads: number;
  readonly queueDeletes: number;
  readonly bucketWrites: number;
  readonly bucketReads: number;
  readonly logLines: number;
  /** Number of rows by their source: `DB`, `SHARD_0`, or the class of a Durable Object. */
  readonly rowsRead: CostTally;
  readonly rowsWritten: CostTally;
  /**
   * Number of written rows, by source and statement. A statement is cut after the name of its
   * table.
   */
  readonly rowsWrittenBy: CostTally;
  /** Number of calls and alarms of Durable Objects, by class. */
  readonly objectRequests: CostTally;
  /** Wall clock milliseconds in which an object had work, by class. */
  readonly objectMs: CostTally;
  /**
   * Milliseconds for which an object would wait for its own calls on the real platform
   * (tools/harness/latencies.ts), by class. The times of overlapping calls are added.
   */
  readonly objectWaitMs: CostTally;
  /** Number of queries to each D1 database, and the milliseconds that D1 reports for them. */
  readonly databaseQueries: CostTally;
  readonly databaseMs: CostTally;
  /** Size of a D1 database at its last query. */
  readonly databaseBytes: CostTally;
}

export type CostTally = Readonly<Record<string, number>>;

const COUNTERS = [
  "workerRequests",
  "queueInvocations",
  "queueWrites",
  "queueReads",
  "queueDeletes",
  "bucketWrites",
  "bucketReads",
  "logLines",
] as const satisfies readonly (keyof TallyReading)[];

const counters = new Map<(typeof COUNTERS)[number], number>();
const tallies = {
  rowsRead: new Map<string, number>(),
  rowsWritten: new Map<string, number>(),
  rowsWrittenBy: new Map<string, number>(),
  objectRequests: new Map<string, number>(),
  objectMs: new Map<string, number>(),
  objectWaitMs: new Map<string, number>(),
  databaseQueries: new Map<string, number>(),
  databaseMs: new Map<string, number>(),
  databaseBytes: new Map<string, number>(),
};
/**
 * Matches the place where a SQL statement is cut. The text before that place identifies the
 * statement.
 */
const DETAILS = / ?\(| VALUES| SET| WHERE| SELECT| AS /i;

export function count(name: (typeof COUNTERS)[number], by = 1): void {
  counters.set(name, (counters.get(name) ?? 0) + by);
}

export function add(name: keyof typeof tallies, key: string, by: number): void {
  tallies[name].set(key, (tallies[name].get(key) ?? 0) + by);
}

export function addRows(
  source: string,
  statement: string,
  rowsRead: number,
  rowsWritten: number,
): void {
  add("rowsRead", source, rowsRead);
  add("rowsWritten", source, rowsWritten);
  if (rowsWritten > 0) add("rowsWrittenBy", `${source}: ${shorten(statement)}`, rowsWritten);
}

export function recordSize(source: string, bytes: number): void {
  tallies.databaseBytes.set(source, bytes);
}

/** Returns the counts since the last reading. The next reading counts from 0. */
export function takeReading(): TallyReading {
  const taken = {
    ...Object.fromEntries(COUNTERS.map((name) => [name, counters.get(name) ?? 0])),
    ...Object.fromEntries(
      Object.entries(tallies).map(([name, tally]) => [name, Object.fromEntries(tally)]),
    ),
  };
  counters.clear();
  for (const [name, tally] of Object.entries(tallies)) if (name !== "databaseBytes") tally.clear();
  return taken as unknown as TallyReading;
}

/** Shortens a statement to its verb and table, without the day in the table's name. */
function shorten(statement: string): string {
  const [verb = ""] = statement.replace(/\s+/g, " ").trim().split(DETAILS);
  return verb.replace(/_\d{8}$/, "_<day>");
}
