// Reads until when the service shall hold a message before it sends it (RFC 4865): HOLDFOR has
// seconds, HOLDUNTIL a date-time. The worker holds messages by the rules of contract.md §Scheduled
// sends. If the worker would refuse the time, the gateway refuses it at MAIL, before the client
// sends the message. Pure.
import { reply, type SessionReply } from "./replies.ts";
import { DAY_MS } from "../millisecond-units.ts";

/** `for`: seconds from the message's arrival. `until`: the date-time that the client gave. */
export type RequestedHold = { readonly for: number } | { readonly until: string };

/**
 * Maximum time for which a message may be held. It equals the worker's limit (src/limits.ts); a
 * test compares them.
 */
export const HOLD_MAX_MS = 30 * DAY_MS;
/**
 * A time in the past counts as now if it passed less than this many milliseconds ago. The worker
 * has the same limit.
 */
export const HOLD_PAST_MS = 60_000;

/** The form of a date-time in RFC 3339 §5.6. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const SECONDS = /^\d{1,9}$/;

const TOO_FAR = reply(501, `5.5.4 A message is held for at most ${HOLD_MAX_MS / 1_000} seconds`);
const TOO_LATE = reply(501, "5.5.4 HOLDUNTIL is in the past");

/** Returns the EHLO keyword for RFC 4865 with its two limits. `now` is in Unix milliseconds. */
export function futureReleaseKeyword(now: number): string {
  const latest = new Date(now + HOLD_MAX_MS).toISOString().replace(/\.\d+/, "");
  return `FUTURERELEASE ${HOLD_MAX_MS / 1_000} ${latest}`;
}

/** Reads the value of HOLDFOR or HOLDUNTIL. Returns undefined if the value is malformed. */
export function readHold(
  keyword: "HOLDFOR" | "HOLDUNTIL",
  value: string,
): RequestedHold | undefined {
  if (keyword === "HOLDFOR") return SECONDS.test(value) ? { for: Number(value) } : undefined;
  return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
    ? { until: value.toUpperCase() }
    : undefined;
}

/**
 * Returns the reply that refuses the hold. Returns null if the message may be held until then.
 * `now` is in Unix milliseconds.
 */
export function refuseHold(hold: RequestedHold, now: number): SessionReply | null {
  const ms = millisecondsAhead(hold, now);
  if (ms > HOLD_MAX_MS) return TOO_FAR;
  return ms < -HOLD_PAST_MS ? TOO_LATE : null;
}

/**
 * Returns the hold. Returns null if the client asked for no hold, or if its time has passed during
 * the transaction.
 */
export function remainingHold(hold: RequestedHold | null, now: number): RequestedHold | null {
  return hold && millisecondsAhead(hold, now) >= 0 ? hold : null;
}

function millisecondsAhead(hold: RequestedHold, now: number): number {
  return "for" in hold ? hold.for * 1_000 : Date.parse(hold.until) - now;
}
