// Tests src/resources/stats/count-window.ts: a window has whole intervals, begins within the
// retention time, and ends now at the latest.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../src/limits.ts";
import { RefusalError } from "../../../../src/refusal.ts";
import { windowOf } from "../../../../src/resources/stats/count-window.ts";
import { StatsQuery } from "../../../../src/resources/stats/wire.ts";

const NOW = Date.UTC(2026, 9, 20, 12, 34, 56);

function shown(query: Record<string, string>, retentionDays = 30): string[] {
  const { interval, start, end } = windowOf(StatsQuery.parse(query), retentionDays, NOW);
  return [interval, ...[start, end].map((at) => new Date(at).toISOString().slice(0, 16))];
}

function refused(query: Record<string, string>): unknown {
  try {
    shown(query);
  } catch (error) {
    return error instanceof RefusalError ? error.refusal : error;
  }
  return undefined;
}

describe("a window", () => {
  it("is by default the last 24 hours, extended to whole hours", () => {
    expect(shown({})).toEqual(["hour", "2026-10-19T12:00", "2026-10-20T13:00"]);
  });

  it("ends now if only its start is given, and begins a day before its end if only the end is given", () => {
    const started = ["hour", "2026-10-20T09:00", "2026-10-20T13:00"];
    expect(shown({ start: "2026-10-20T09:30:00Z" })).toEqual(started);
    const ended = ["hour", "2026-10-09T09:00", "2026-10-10T09:00"];
    expect(shown({ end: "2026-10-10T09:00:00Z" })).toEqual(ended);
  });

  it("is kept if it has whole intervals, and is else extended to whole intervals in UTC", () => {
    const whole = { start: "2026-10-10", end: "2026-10-12" };
    const kept = ["day", "2026-10-10T00:00", "2026-10-12T00:00"];
    expect(shown({ ...whole, interval: "day" })).toEqual(kept);
    const odd = { start: "2026-10-10T23:00:00-02:00", end: "2026-10-12T00:00:00.001Z" };
    const rounded = ["day", "2026-10-11T00:00", "2026-10-13T00:00"];
    expect(shown({ ...odd, interval: "day" })).toEqual(rounded);
  });

  it("is divided into days if it is longer than seven days, unless the query asks for hours", () => {
    expect(shown({ start: "2026-10-01", end: "2026-10-08" })[0]).toBe("hour");
    expect(shown({ start: "2026-10-01", end: "2026-10-08T00:00:00.001Z" })[0]).toBe("day");
    const hours = ["hour", "2026-09-25T00:00", "2026-10-20T13:00"];
    expect(shown({ start: "2026-09-25", interval: "hour" })).toEqual(hours);
    expect(shown({ start: "2026-10-07", end: "2026-10-08", interval: "day" })[0]).toBe("day");
  });

  it("is cut to the team's retention and to now", () => {
    const month = ["day", "2026-09-20T00:00", "2026-10-21T00:00"];
    expect(shown({ start: "2020-01-01", end: "2030-01-01" })).toEqual(month);
    const days = ["hour", "2026-10-17T12:00", "2026-10-20T13:00"];
    expect(shown({ start: "2020-01-01" }, 3)).toEqual(days);
  });

  it.each([
    ["beyond the retention", { start: "2026-01-01", end: "2026-01-03" }],
    ["in the future", { start: "2027-01-01", end: "2027-01-03" }],
  ])("is empty %s", (_, query) => {
    const [, start, end] = shown(query);
    expect(start).toBe(end);
  });

  it.each([
    [{ start: "2026-10-10", end: "2026-10-10" }, "must be before end"],
    [{ start: "2026-10-10", end: "2026-10-09" }, "must be before end"],
    [{ start: "2026-10-21" }, "must be before now"],
  ])("is refused, naming its start, if it does not begin before its end: %j", (query, words) => {
    expect(refused(query)).toEqual({ code: "invalid", errors: { start: [words] } });
  });

  it("is refused, naming its interval, if it is by domain and has too many hours within the retention", () => {
    const query = { group_by: "recipient_domain", interval: "hour" };
    const words = "must be day for a window of more than 7 days by recipient_domain";
    const refusal = { code: "invalid", errors: { interval: [words] } };
    expect(refused({ ...query, start: "2026-10-01" })).toEqual(refusal);
    expect(shown({ ...query, start: "2026-10-01" }, 7)[0]).toBe("hour");
    expect(shown({ group_by: "recipient_domain", start: "2026-10-01" })[0]).toBe("day");
  });

  it("has at most one interval for each hour of the retention", () => {
    const asked = { start: "0000-01-01", end: "9999-12-31", interval: "hour" };
    const { start, end } = windowOf(StatsQuery.parse(asked), 30, NOW);
    expect((end - start) / HOUR_MS).toBe((30 * DAY_MS) / HOUR_MS + 1);
  });
});
