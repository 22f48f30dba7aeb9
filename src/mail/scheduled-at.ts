// Decides for which times a send may be scheduled (contract.md §Scheduled sends). Pure.
import * as z from "zod";
import { parseTime, parseTimeWithOffset } from "../lib/iso-time.ts";
import { SCHEDULE_AHEAD_MS, SCHEDULE_PAST_MS } from "../limits.ts";

const error = "must be an ISO 8601 date-time with an offset, such as 2027-01-31T09:00:00+01:00";

/** A date and time with an offset, in the caller's notation. */
export const ScheduledAt = z
  .string({ error })
  .refine((text) => parseTimeWithOffset(text) !== undefined, { error })
  .meta({ format: "date-time" });

/**
 * Checks a time that ScheduledAt accepts. `at` is the time in Unix milliseconds, at most one minute
 * before `now`. `problem` is the rest of a sentence that begins with the field's name.
 */
export function judgeSchedule(
  text: string,
  now: number,
): { readonly at: number } | { readonly problem: string } {
  const at = parseTime(text);
  if (at === undefined) throw new Error("a time was judged before it was checked");
  if (at > now + SCHEDULE_AHEAD_MS) return { problem: "must be at most 30 days ahead" };
  if (at < now - SCHEDULE_PAST_MS) return { problem: "is in the past" };
  return { at };
}
