// Tests times in words, such as "in 1 hour" (docs/from-resend.md §Times in words).
import { expect, it } from "vitest";
import { spokenTime } from "../../../../src/api/resend/spoken-time.ts";

/** A Monday. */
const NOW = Date.parse("2026-11-23T10:30:00.000Z");

it.each([
  ["in 1 hour", "2026-11-23T11:30:00.000Z"],
  ["in an hour", "2026-11-23T11:30:00.000Z"],
  ["In 30  Minutes", "2026-11-23T11:00:00.000Z"],
  ["in 1 min", "2026-11-23T10:31:00.000Z"],
  ["in 90s", "2026-11-23T10:31:30.000Z"],
  ["in 0 days", "2026-11-23T10:30:00.000Z"],
  ["in 2 weeks", "2026-12-07T10:30:00.000Z"],
  ["tomorrow", "2026-11-24T10:30:00.000Z"],
  ["tomorrow at 9am", "2026-11-24T09:00:00.000Z"],
  ["today at 12am", "2026-11-23T00:00:00.000Z"],
  ["today at 12 pm UTC", "2026-11-23T12:00:00.000Z"],
  ["Friday at 15:30", "2026-11-27T15:30:00.000Z"],
  ["monday at 9am", "2026-11-30T09:00:00.000Z"],
  ["next Tue at 9:05 pm", "2026-11-24T21:05:00.000Z"],
])("reads %s", (text, time) => {
  expect(new Date(spokenTime(text, NOW) ?? Number.NaN).toISOString()).toBe(time);
});

it.each([
  "",
  ..."later|in 1 fortnight|in -1 hour|Friday at 3pm ET|tomorrow at 13pm|tomorrow at 0am".split("|"),
  ..."today at 24:00|today at 9:60|someday at 9am|2026-11-24T09:00:00Z".split("|"),
])("does not know %j", (text) => {
  expect(spokenTime(text, NOW)).toBeUndefined();
});
