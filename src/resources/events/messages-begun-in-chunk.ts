// Tells which messages begin in a chunk (docs/storage.md §Chunks). A message begins in each chunk
// that has the first attempt of one of its recipients, so it may begin in several chunks. The list
// of messages finds it in any of them, and sorts by time of acceptance. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { LATE_MS, type NewChunk } from "./store.ts";

/** Times of the messages that begin in a chunk: when they were accepted, in Unix milliseconds. */
interface BegunMessages {
  /** The time of the oldest message that begins in the chunk. Null: no message begins in it. */
  readonly oldest: number | null;
  /**
   * The time of the newest message that was accepted at another time than the chunk's key says. A
   * scan in the order of keys would list such a message at a wrong place. Null: the chunk has no
   * such message.
   */
  readonly newestLate: number | null;
}

/**
 * Tells whether the event belongs to its recipient's first attempt, or to a suppressed recipient
 * without any attempt.
 */
export function isBeginning({ type, attempt }: Pick<OwnEvent, "type" | "attempt">): boolean {
  return attempt === 1 || type === "email.suppressed";
}

/** `newestEvent`: the time of the chunk's newest event, Unix milliseconds. */
export function begunIn(
  { messages, at, isStray }: Pick<NewChunk, "messages" | "at" | "isStray">,
  newestEvent: number,
): BegunMessages {
  const times = messages
    .filter(({ events }) => events.some(isBeginning))
    .map(({ message: { emailId } }) => timeOfUuidv7(emailId.slice("email_".length)));
  const isLate = (time: number) => isStray || time < at - LATE_MS || time > newestEvent;
  return { oldest: least(times), newestLate: most(times.filter(isLate)) };
}

function least(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
}

function most(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
}
