// Reads the time at which a submitted message goes out (contract.md §Scheduled sends), from the
// option header, or from the envelope's HOLDFOR or HOLDUNTIL (RFC 4865). Pure.
import { parseTime } from "../../../lib/iso-time.ts";
import { SECOND_MS } from "../../../limits.ts";
import { ScheduledAt } from "../../scheduled-at.ts";
import { readValue } from "../fields.ts";
import type { FieldProblems } from "../field-problems.ts";
import { readSendTime } from "../send-time.ts";
import type { HeaderField } from "./header-section.ts";
import { singleOption } from "./smtp-options.ts";
import type { SubmittedHold } from "./submission-frame.ts";

const HEADER = "x-service-send-at";

/**
 * Returns the time in Unix milliseconds. Null means that the message goes out as soon as it is
 * accepted, or that an error was reported. If both the header and the envelope name a time, the two
 * times must be equal.
 */
export function readSubmittedTime(
  fields: readonly HeaderField[],
  hold: SubmittedHold | null,
  now: number,
  problems: FieldProblems,
): number | null {
  const header = singleOption(fields, HEADER, "scheduled_at", problems);
  const held = hold && timeOf(hold, now);
  if (header !== undefined && held !== null && parseTime(header) !== parseTime(held))
    problems.invalid("scheduled_at", "differs between X-Service-Send-At and MAIL FROM");
  const given = header ?? held ?? undefined;
  const text =
    given === undefined ? undefined : readValue(ScheduledAt, given, "scheduled_at", problems);
  return readSendTime(text, now, problems);
}

function timeOf(hold: SubmittedHold, now: number): string {
  return "until" in hold ? hold.until : new Date(now + hold.for * SECOND_MS).toISOString();
}
