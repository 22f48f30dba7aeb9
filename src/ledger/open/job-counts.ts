// Counts the jobs of open messages by state (docs/metrics-and-alerts.md §Metrics). A resting
// message's row has its counts packed into two numbers, so that a start adds up millions of rows
// from an index in little time; after that the counts change in memory. Pure.
import type { Job, Jobs } from "./job.ts";

/** Numbers of jobs. A job that was never claimed has no state. */
export interface JobCounts {
  /** Jobs that are not done. */
  open: number;
  waiting: number;
  awaiting: number;
  leased: number;
}

const NAMES = ["open", "waiting", "awaiting", "leased"] as const;
/** Bits of a count, also of the sum of a count over all rows. */
const BITS = 32;
const UNIT = 2 ** BITS;

/**
 * The counts of a message as its row has them. `states`: jobs that are not done, and the waiting
 * ones. `others`: the awaiting and the leased ones; null: no job is one of them.
 */
export interface PackedCounts {
  readonly states: number;
  readonly others: number | null;
}

/** SQL expressions that add up the counts of rows, each with the name of its count. */
export const PACKED_SUMS = (["states", "others"] as const)
  .map((column) => `coalesce(sum(${column}), 0)`)
  .flatMap((sum, place) => [
    `${sum} & ${UNIT - 1} AS ${NAMES[2 * place]}`,
    `${sum} >> ${BITS} AS ${NAMES[2 * place + 1]}`,
  ])
  .join(", ");

/** SQL condition for a row with leased jobs. */
export const HAS_LEASED = `others >= ${UNIT}`;

export function packCounts({ open, waiting, awaiting, leased }: JobCounts): PackedCounts {
  return { states: open + waiting * UNIT, others: awaiting + leased * UNIT || null };
}

/** Returns the counts that were packed, with their signs reversed. */
export function unpackNegated({ states, others }: PackedCounts): JobCounts {
  const [first, second] = [states, others ?? 0];
  return {
    open: -(first % UNIT),
    waiting: -Math.floor(first / UNIT),
    awaiting: -(second % UNIT),
    leased: -Math.floor(second / UNIT),
  };
}

export function noCounts(): JobCounts {
  return { open: 0, waiting: 0, awaiting: 0, leased: 0 };
}

/** Counts the jobs of a message with `recipients` recipients. */
export function countJobs(jobs: Jobs, recipients: number): JobCounts {
  const counts = { ...noCounts(), open: recipients };
  for (const job of Object.values<Job>(jobs)) add(counts, job, 1);
  return counts;
}

/** Adds `counts` to `all`. */
export function addCounts(all: JobCounts, counts: JobCounts): void {
  for (const name of NAMES) all[name] += counts[name];
}

/** Changes the counts after a change of some of a message's jobs. */
export function recount(all: JobCounts, before: Jobs, changed: Jobs): void {
  for (const [index, job] of Object.entries<Job>(changed)) {
    const old = before[Number(index)];
    if (old) add(all, old, -1);
    add(all, job, 1);
  }
}

function add(counts: JobCounts, job: Job, sign: 1 | -1): void {
  if (job.state === "done") counts.open -= sign;
  else counts[job.state] += sign;
}
