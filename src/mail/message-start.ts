// Tells a message's start, from which its 72 hours, its Date and its return-paths count
// (contract.md §Scheduled sends): the time for which it was scheduled, else its acceptance. Pure.
import type { Message } from "./message.ts";

/** Returns the message's start, Unix milliseconds. */
export function startOf({ acceptedAt, scheduledAt }: Message): number {
  return scheduledAt ?? acceptedAt;
}

/**
 * Reads a message as the ledger stores it. `startsAt` is the message's start: the ledger keeps the
 * time of a scheduled message apart from the JSON, because that time can be moved.
 */
export function readStoredMessage(meta: string, startsAt: number): Message {
  const message = JSON.parse(meta) as Message;
  return startsAt === message.acceptedAt ? message : { ...message, scheduledAt: startsAt };
}
