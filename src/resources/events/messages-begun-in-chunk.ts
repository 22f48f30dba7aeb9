// Determines which messages begin in a chunk (docs/storage.md §Chunks). A message begins in each
// chunk with the first attempt of one of its recipients, so it may begin in several chunks. The
// list of messages finds it in any of these chunks, and sorts by the time of acceptance. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";
import { timeOfEmailId } from "../../lib/ids.ts";
import { LATE_MS, type NewChunk } from "./store.ts";

/** The times of acceptance of the messages that begin in a chunk, Unix milliseconds. */
interface BegunMessages {
  /** The time of the oldest message that begins in the chunk. Null: none begins in the chunk. */
  readonly oldest: number | null;
  /**
   * The time of the newest message whose acceptance does not fit the chunk's key. A scan in the
   * order of keys would list this message at a wrong position. Null: the chunk does not have such a
   * message.
   */
  readonly newestLate: number | null;
}

/**
 * Returns true for an event of its recipient's first attempt, and for email.suppressed, whose
 * recipient has no attempt.
 */
export function isBeginning({ type, attempt }: Pick<OwnEvent, "type" | "attempt">): boolean {
  return attempt === 1 || type === "email.suppressed";
}

/**
 * Finds the messages that begin in a chunk. `newestEvent` is the time of the chunk's newest event,
 * Unix milliseconds.
 */
export function begunIn(
  { messages, at, isStray }: Pick<NewChunk, "messages" | "at" | "isStray">,
  newestEvent: number,
): BegunMessages {
  const times = messages
    .filter(({ events }) => events.some(isBeginning))
    .map(({ message: { emailId } }) => timeOfEmailId(emailId));
  const isLate = (time: number) => isStray || time < at - LATE_MS || time > newestEvent;
  return { oldest: least(times), newestLate: most(times.filter(isLate)) };
}

function least(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
}

function most(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
}
