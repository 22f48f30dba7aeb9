// Tells when a message's time begins, from which its 72 hours, its Date and its return-paths count
// (contract.md §Scheduled sends): the time for which it was scheduled, else its acceptance. Pure.
import type { Message } from "./message.ts";

/** Returns the message's start, Unix milliseconds. */
export function startOf({ acceptedAt, scheduledAt }: Message): number {
  return scheduledAt ?? acceptedAt;
}

/**
 * Reads a message as the ledger stores it. `startsAt` is its start: the ledger holds the time of a
 * scheduled message apart, because it can be moved.
 */
export function readStoredMessage(meta: string, startsAt: number): Message {
  const message = JSON.parse(meta) as Message;
  return startsAt === message.acceptedAt ? message : { ...message, scheduledAt: startsAt };
}
