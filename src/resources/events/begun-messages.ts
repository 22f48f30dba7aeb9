// Tells which messages begin in a chunk (docs/storage.md §Chunks): those with a first attempt for a
// recipient in that chunk. The list of messages finds a message in any chunk in which it begins,
// and sorts by acceptance. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { LATE_MS, type NewChunk } from "./store.ts";

/**
 * The range of the messages that begin in a chunk. Times are times of acceptance, in Unix
 * milliseconds.
 */
interface BegunMessages {
  /** Null: no message begins in the chunk. */
  readonly oldest: number | null;
  /**
   * The newest late message: a scan in the order of keys would reach it at the wrong time. Null:
   * the chunk has no late message.
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
