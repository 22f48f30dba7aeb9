// Decides how fast accepted messages are released to delivery (contract.md §Limits:
// `delivery_rate_per_minute`; docs/architecture.md §Release). A token bucket has one token for each
// job that may be released, at most the tokens of one minute. The streams release their jobs round
// robin, so that a long campaign delays no other stream's mail. Jobs of high priority come first
// (contract.md §Priority). Pure.
import { MINUTE_MS } from "../../limits.ts";
import { type Bucket, refill } from "../token-bucket.ts";

/** Interval between two rounds, each of which releases waiting messages. */
export const ROUND_MS = 1_000;

/**
 * Releases stop while the queue has this many unclaimed jobs, or as many jobs as two rounds release
 * if that is more. All streams share the queue. A further job would only wait there, and would
 * delay the jobs of other streams that are released after it.
 */
const QUEUED_JOBS = 500;
const QUEUED_ROUNDS = 2;
/**
 * Releases stop while this many copies are unsent: in the queue, at a consumer, or postponed
 * because no courier took them. So a slow or missing courier gets no more copies than it can take
 * soon. A high delivery rate raises the limit to the number of jobs that ten rounds release. All
 * unsent copies are in memory, so the limit is well below the maximum number of open messages in
 * memory. Copies that a mail server deferred, and copies at a gateway, do not count, so they delay
 * no other mail.
 */
const UNSENT_JOBS = 4_000;
const UNSENT_ROUNDS = 10;
const UNSENT_MOST = 12_000;
/** One in ONE_IN released jobs is of normal priority while jobs of both priorities wait. */
const ONE_IN = 10;

/**
 * Numbers of released jobs. `queued` counts the jobs that no consumer has claimed, and `unsent` the
 * jobs whose copy no courier has.
 */
export interface Released {
  readonly queued: number;
  readonly unsent: number;
}

/**
 * Returns how many more jobs may be released. `factor` is 2 for jobs of high priority, which may
 * enter a queue that is full of other jobs.
 */
export function releaseRoom(
  perMinute: number,
  { queued, unsent }: Released,
  factor: 1 | 2 = 1,
): number {
  const queueRoom = factor * queuedAtMost(perMinute) - queued;
  return Math.max(0, Math.min(queueRoom, factor * unsentAtMost(perMinute) - unsent));
}

/**
 * Returns how many messages may come from disk into memory for a retry. Retries and new mail share
 * the limit of unsent copies. Retries get at most half of the free part.
 */
export function retryRoom(perMinute: number, { unsent }: Pick<Released, "unsent">): number {
  return Math.max(0, Math.floor((unsentAtMost(perMinute) - unsent) / 2));
}

function queuedAtMost(perMinute: number): number {
  return Math.max(QUEUED_JOBS, Math.ceil((perMinute * QUEUED_ROUNDS * ROUND_MS) / MINUTE_MS));
}

function unsentAtMost(perMinute: number): number {
  const rounds = (perMinute * UNSENT_ROUNDS * ROUND_MS) / MINUTE_MS;
  return Math.max(UNSENT_JOBS, 2 * queuedAtMost(perMinute), Math.min(UNSENT_MOST, rounds));
}

/** Returns how many jobs of high priority may be released while the bucket is empty. */
export function borrowable(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute / ONE_IN));
}

/**
 * Returns how many jobs of normal priority must be released after `high` jobs of high priority.
 * These jobs are released even if the bucket is empty, so that high priority cannot stop normal
 * mail permanently.
 */
export function owedFor(high: number): number {
  return high / (ONE_IN - 1);
}

/**
 * A stream and the number of its waiting jobs. A list of turns begins with the stream that releases
 * the next job.
 */
interface Turn {
  readonly stream: string;
  readonly waiting: number;
}

/**
 * Takes tokens for up to `wanted` jobs from the bucket. If tokens are missing, takes up to
 * `borrowed` tokens as a debt of the bucket. Returns the bucket and the number of jobs that may be
 * released.
 */
export function takeReleases(
  bucket: Bucket | undefined,
  perMinute: number,
  wanted: number,
  now: number,
  borrowed = 0,
): [Bucket, number] {
  const filled = refill(
    bucket,
    { perWindow: perMinute, windowMs: MINUTE_MS, capacity: perMinute },
    now,
  );
  const taken = Math.max(0, Math.min(wanted, Math.floor(filled.level / MINUTE_MS) + borrowed));
  return [{ level: filled.level - taken * MINUTE_MS, at: filled.at }, taken];
}

/**
 * Distributes `releases` among the streams, round robin. Returns the number of jobs for each
 * stream, and the order of the next turns, in which the streams that the last cycle left out come
 * before the streams that it served.
 */
export function dealOut(
  turns: readonly Turn[],
  releases: number,
): { counts: Map<string, number>; order: string[] } {
  const counts = new Map<string, number>();
  let ring = turns.filter((turn) => turn.waiting > 0);
  let left = releases;
  while (left > 0 && ring.length > 0) {
    const served = ring.slice(0, left);
    for (const { stream } of served) counts.set(stream, (counts.get(stream) ?? 0) + 1);
    left -= served.length;
    ring = [
      ...ring.slice(served.length),
      ...served.filter((turn) => turn.waiting > (counts.get(turn.stream) ?? 0)),
    ];
  }
  return { counts, order: ring.map((turn) => turn.stream) };
}

/**
 * Returns the time at which the next round can release a job, in Unix milliseconds. The next round
 * is after ROUND_MS, or later if the rate is below one job per round. Up to `borrowed` jobs need no
 * tokens.
 */
export function nextRound(bucket: Bucket, perMinute: number, now: number, borrowed = 0): number {
  const missing = (1 - Math.floor(borrowed)) * MINUTE_MS - bucket.level;
  const untilTokenMs = Math.ceil(missing / Math.max(1, perMinute));
  return now + Math.max(ROUND_MS, untilTokenMs);
}
