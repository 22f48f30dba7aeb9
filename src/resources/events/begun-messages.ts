// Tells which messages begin in a chunk (docs/storage.md §Chunks): those of which it has a
// recipient's first attempt. The list of messages finds each in a chunk in which it begins, in the
// order of acceptance. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { LATE_MS, type NewChunk } from "./store.ts";

/** The messages that begin in a chunk. Times are of acceptance, in Unix milliseconds. */
interface BegunMessages {
  /** Null: no message begins in the chunk. */
  readonly oldest: number | null;
  /** The newest of those that a walk down the chunk's keys would not meet at their time; null: none. */
  readonly newestLate: number | null;
}

/** Tells whether the event is of its recipient's first attempt, or of none. */
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
