// Counts the jobs of open messages by state (docs/metrics-and-alerts.md §Metrics). The row of a
// message that is only on disk has its counts packed into two numbers. So a ledger that starts adds
// up millions of rows from an index in little time. Later, the counts change in memory. Pure.
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
/** Number of bits of a count. The sum of a count over all rows must fit too. */
const BITS = 32;
const UNIT = 2 ** BITS;

/**
 * The counts of a message as its row has them. `states` packs two counts: of jobs that are not
 * done, and of waiting jobs. `others` packs the counts of awaiting and of leased jobs. Null means
 * that no job is awaiting or leased.
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

export function noCounts(): JobCounts {
  return { open: 0, waiting: 0, awaiting: 0, leased: 0 };
}

/** Counts the jobs of a message with `recipients` recipients. */
export function countJobs(jobs: Jobs, recipients: number): JobCounts {
  const counts = { ...noCounts(), open: recipients };
  for (const job of Object.values<Job>(jobs)) add(counts, job, 1);
  return counts;
}

export function addCounts(all: JobCounts, counts: JobCounts): void {
  for (const name of NAMES) all[name] += counts[name];
}

/** Updates the counts after some of a message's jobs changed. */
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
