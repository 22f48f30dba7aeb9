// Returns a message's start (contract.md §Scheduled sends): its scheduled time or, without one, the
// time of its acceptance. The 72 hours for delivery, the Date header and the validity of the
// return-paths are counted from this time. Pure.
import type { Message } from "./message.ts";

/** Returns the start of the message's 72 hours, in Unix milliseconds. */
export function startOf({ acceptedAt, scheduledAt }: Message): number {
  return scheduledAt ?? acceptedAt;
}

/**
 * Returns the start of the message's 72 hours, moved by the time that the message was on hold, in
 * Unix milliseconds (docs/architecture.md §Hold).
 */
export function clockStartOf(message: Message): number {
  return startOf(message) + (message.heldMs ?? 0);
}

/** Writes a time for a Date field (RFC 5322 §3.3), in UTC. */
export function dateText(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}

/**
 * Reads a message as the ledger stores it. `startsAt` is the start of the message's 72 hours. The
 * ledger stores the time of a scheduled message outside the JSON, because a caller can change that
 * time. `heldMs` is the time that the message has been on hold until now, in milliseconds.
 */
export function readStoredMessage(meta: string, startsAt: number, heldMs?: number): Message {
  const message = JSON.parse(meta) as Message;
  const scheduled = startsAt === message.acceptedAt ? {} : { scheduledAt: startsAt };
  return { ...message, ...scheduled, ...(heldMs !== undefined && { heldMs }) };
}
