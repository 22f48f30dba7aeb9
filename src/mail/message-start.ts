// Returns a message's start (contract.md §Scheduled sends): its scheduled time, or else the time of
// its acceptance. Its 72 hours, its Date and the validity of its return-paths are counted from its
// start. Pure.
import type { Message } from "./message.ts";

/** Returns the message's start, Unix milliseconds. */
export function startOf({ acceptedAt, scheduledAt }: Message): number {
  return scheduledAt ?? acceptedAt;
}

/**
 * Reads a message as the ledger stores it. `startsAt`: the message's start. The ledger stores the
 * time of a scheduled message outside the JSON, because that time can be changed.
 */
export function readStoredMessage(meta: string, startsAt: number): Message {
  const message = JSON.parse(meta) as Message;
  return startsAt === message.acceptedAt ? message : { ...message, scheduledAt: startsAt };
}
