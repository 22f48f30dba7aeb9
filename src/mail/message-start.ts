// Returns a message's start (contract.md §Scheduled sends): its scheduled time, or else the time of
// its acceptance. The 72 hours for delivery, the Date header and the validity of the return-paths
// are counted from this time. Pure.
import type { Message } from "./message.ts";

/** Returns when the message's 72 hours begin, Unix milliseconds. */
export function startOf({ acceptedAt, scheduledAt }: Message): number {
  return scheduledAt ?? acceptedAt;
}

/**
 * Returns when the 72 hours of a message that was held would have begun without its hold, Unix
 * milliseconds (docs/architecture.md §Hold).
 */
export function clockStartOf(message: Message): number {
  return startOf(message) + (message.heldMs ?? 0);
}

/**
 * Reads a message as the ledger stores it. `startsAt`: when the message's 72 hours begin. The
 * ledger stores the time of a scheduled message outside the JSON, because that time can be changed.
 * `heldMs`: the time for which the message was held until now, in milliseconds.
 */
export function readStoredMessage(meta: string, startsAt: number, heldMs?: number): Message {
  const message = JSON.parse(meta) as Message;
  const scheduled = startsAt === message.acceptedAt ? {} : { scheduledAt: startsAt };
  return { ...message, ...scheduled, ...(heldMs !== undefined && { heldMs }) };
}
