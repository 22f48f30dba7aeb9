// The counts that `bench cost` has collected in the running worker since the last reading.
// counted-worker.ts counts, and bill.ts applies prices.

/** The numbers that have one price, and the milliseconds for which objects have work or wait. */
const COUNTERS = [
  "requests",
  "queueOperations",
  "bucketWrites",
  "bucketReads",
  "logLines",
  "rowsRead",
  "objectRequests",
  "objectMs",
] as const;
/**
 * The counts by source: `DB`, `SHARD_0`, or the class of a Durable Object. `databaseMs` has the
 * milliseconds that D1 reports for its queries.
 */
const TALLIES = ["rowsWritten", "databaseQueries", "databaseMs"] as const;

export type CostTally = Readonly<Record<string, number>>;
export type TallyReading = Readonly<
  Record<(typeof COUNTERS)[number], number> & Record<(typeof TALLIES)[number], CostTally>
> & {
  /** Size of each D1 database at its last query. */
  readonly databaseBytes: CostTally;
};

const databaseBytes: Record<string, number> = {};
let counters = newCounters();
let tallies = newTallies();

function newCounters(): Record<(typeof COUNTERS)[number], number> {
  return Object.fromEntries(COUNTERS.map((name) => [name, 0])) as typeof counters;
}

function newTallies(): Record<(typeof TALLIES)[number], Record<string, number>> {
  return Object.fromEntries(TALLIES.map((name) => [name, {}])) as typeof tallies;
}

export function count(name: (typeof COUNTERS)[number], by = 1): void {
  counters[name] += by;
}

export function add(name: (typeof TALLIES)[number], source: string, by: number): void {
  tallies[name][source] = (tallies[name][source] ?? 0) + by;
}

export function addRows(source: string, rowsRead = 0, rowsWritten = 0): void {
  count("rowsRead", rowsRead);
  add("rowsWritten", source, rowsWritten);
}

export function recordSize(source: string, bytes: number): void {
  databaseBytes[source] = bytes;
}

/** Returns the counts since the last reading. The next reading counts from 0. */
export function takeReading(): TallyReading {
  const reading = { ...counters, ...tallies, databaseBytes };
  [counters, tallies] = [newCounters(), newTallies()];
  return reading;
}
