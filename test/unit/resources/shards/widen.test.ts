// Tests from which day a team's events are on other shards (src/resources/shards/widen.ts,
// docs/scaling.md §A team on several shards).
import { describe, expect, it } from "vitest";
import { addSpan } from "../../../../src/resources/shards/widen.ts";

const FIRST = { from: "20261101", shards: [0] };
const at = (time: string) => Date.parse(`2026-11-${time}Z`);

describe("a new span", () => {
  it.each([
    ["22T00:00:00.000", "20261123"],
    ["22T12:00:00.000", "20261123"],
    ["22T23:00:00.000", "20261123"],
    ["22T23:00:00.001", "20261124"],
    ["22T23:59:59.999", "20261124"],
    ["30T23:30:00.000", "20261202"],
  ])("decided at %s begins on %s, the next midnight at least an hour away", (time, from) => {
    expect(addSpan([FIRST], () => [0, 1], at(time))).toEqual([FIRST, { from, shards: [0, 1] }]);
  });

  it("replaces a span that has not begun", () => {
    const pending = { from: "20261123", shards: [0, 1] };
    expect(addSpan([FIRST, pending], () => [0, 2], at("22T20:00:00"))).toEqual([
      FIRST,
      { from: "20261123", shards: [0, 2] },
    ]);
  });

  it("does not replace a span that begins within the hour, because isolates may have cached that span", () => {
    const pending = { from: "20261123", shards: [0, 1] };
    const next = { from: "20261124", shards: [0, 2] };
    expect(addSpan([FIRST, pending], () => [0, 2], at("22T23:30:00"))).toEqual([
      FIRST,
      pending,
      next,
    ]);
  });

  it("is chosen from the span in force, so a repeated call widens the team only once", () => {
    const oneMore = (last: readonly number[]) => [...last, last.length];
    const once = addSpan([FIRST], oneMore, at("22T10:00:00"));
    expect(addSpan(once, oneMore, at("22T10:01:00"))).toEqual(once);
    expect(addSpan(once, oneMore, at("23T10:00:00"))).toEqual([
      ...once,
      { from: "20261124", shards: [0, 1, 2] },
    ]);
  });

  it("is not added if the shards stay the same, and a span that has not begun is withdrawn", () => {
    expect(addSpan([FIRST], () => [0], at("22T10:00:00"))).toEqual([FIRST]);
    expect(
      addSpan([FIRST, { from: "20261123", shards: [0, 1] }], () => [0], at("22T10:00:00")),
    ).toEqual([FIRST]);
  });

  it("never replaces the first span, because that span names the suppressions' shard", () => {
    const young = { from: "20261124", shards: [0] };
    expect(addSpan([young], () => [1], at("22T10:00:00"))[0]).toEqual(young);
  });
});
