// Reads for how long a client wants its message held (RFC 4865): HOLDFOR with seconds, or HOLDUNTIL
// with a date-time. The worker holds messages by the rules of contract.md §Scheduled sends. The
// gateway refuses a time that the worker would refuse before the message is sent. Pure.
import { reply, type SessionReply } from "./replies.ts";

/** Seconds from the message's arrival, or a date-time as the client gave it. */
export type Hold = { readonly for: number } | { readonly until: string };

/** Equals the worker's limit (src/limits.ts); a test compares them. */
export const HOLD_MAX_MS = 30 * 24 * 60 * 60_000;
/** A time that passed less than this long ago counts as now. Equals the worker's limit too. */
export const HOLD_PAST_MS = 60_000;

/** RFC 3339 §5.6. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const SECONDS = /^\d{1,9}$/;

const TOO_FAR = reply(501, `5.5.4 A message is held for at most ${HOLD_MAX_MS / 1_000} seconds`);
const TOO_LATE = reply(501, "5.5.4 HOLDUNTIL is in the past");

/** The keyword of EHLO with its two limits, at `now` in Unix milliseconds. */
export function futureReleaseKeyword(now: number): string {
  const latest = new Date(now + HOLD_MAX_MS).toISOString().replace(/\.\d+/, "");
  return `FUTURERELEASE ${HOLD_MAX_MS / 1_000} ${latest}`;
}

/** Reads the value of HOLDFOR or HOLDUNTIL; undefined: it is malformed. */
export function readHold(keyword: "HOLDFOR" | "HOLDUNTIL", value: string): Hold | undefined {
  if (keyword === "HOLDFOR") return SECONDS.test(value) ? { for: Number(value) } : undefined;
  return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
    ? { until: value.toUpperCase() }
    : undefined;
}

/** Returns why a message can't be held for so long; null: it can. `now` in Unix milliseconds. */
export function refuseHold(hold: Hold, now: number): SessionReply | null {
  const ms = millisecondsAhead(hold, now);
  if (ms > HOLD_MAX_MS) return TOO_FAR;
  return ms < -HOLD_PAST_MS ? TOO_LATE : null;
}

/** Returns the hold; null: the message has no hold, or its time passed during the transaction. */
export function remainingHold(hold: Hold | null, now: number): Hold | null {
  return hold && millisecondsAhead(hold, now) >= 0 ? hold : null;
}

function millisecondsAhead(hold: Hold, now: number): number {
  return "for" in hold ? hold.for * 1_000 : Date.parse(hold.until) - now;
}
