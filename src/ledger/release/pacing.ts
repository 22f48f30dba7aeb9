// Decides how fast accepted messages are released to delivery (contract.md §Limits:
// `delivery_rate_per_minute`; docs/architecture.md §Release). A token bucket holds a minute's worth
// of jobs. It is dealt out in rounds, one job per stream in turn, so that a long campaign delays no
// other stream's mail. Jobs of high priority come first (contract.md §Priority). Pure.
import { type Bucket, refill } from "../token-bucket.ts";

const MINUTE_MS = 60_000;
/** Interval between two releases of waiting messages. */
export const ROUND_MS = 1_000;

/**
 * All streams share one queue. With more jobs than this in it, a released job would only wait
 * there, and delay the streams that come after it.
 */
const QUEUED_JOBS = 500;
const QUEUED_ROUNDS = 2;
/** One of this many released jobs is of normal priority while jobs of both priorities wait. */
const ONE_IN = 10;

/** Returns how many more jobs may go to the queue while `queued` jobs in it are unclaimed. */
export function queueRoom(perMinute: number, queued: number): number {
  return Math.max(0, queuedAtMost(perMinute) - queued);
}

/**
 * Returns the same number for jobs that go before other jobs: they have twice the room, so that
 * they fit into a queue that is full of other jobs.
 */
export function firstQueueRoom(perMinute: number, queued: number): number {
  return Math.max(0, 2 * queuedAtMost(perMinute) - queued);
}

function queuedAtMost(perMinute: number): number {
  return Math.max(QUEUED_JOBS, Math.ceil((perMinute * QUEUED_ROUNDS * ROUND_MS) / MINUTE_MS));
}

/** Returns how many jobs of high priority may go out before the bucket has tokens for them. */
export function borrowable(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute / ONE_IN));
}

/**
 * Returns how many jobs of normal priority must follow `high` released jobs of high priority. They
 * go out even if the bucket is empty, so that high priority never stops normal mail for good.
 */
export function owedFor(high: number): number {
  return high / (ONE_IN - 1);
}

/** A stream with waiting jobs, in the order of the streams' turns. */
interface Turn {
  readonly stream: string;
  readonly waiting: number;
}

/**
 * Takes tokens for up to `wanted` jobs from the bucket. For `borrowed` jobs the bucket may have no
 * tokens yet. Returns the bucket, and the number of jobs.
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
 * Deals `releases` out one by one, in turn. Returns how many each stream gets, and the order of the
 * next turns: first the streams not reached, then those served.
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
 * When the next round can release something, Unix milliseconds: after ROUND_MS, or later if the
 * rate is below one job per round. For `borrowed` jobs the bucket may have no tokens yet.
 */
export function nextRound(bucket: Bucket, perMinute: number, now: number, borrowed = 0): number {
  const missing = (1 - Math.floor(borrowed)) * MINUTE_MS - bucket.level;
  const untilTokenMs = Math.ceil(missing / Math.max(1, perMinute));
  return now + Math.max(ROUND_MS, untilTokenMs);
}
