// From which day on a team's events lie on other shards (src/resources/shards/widen.ts,
// docs/scaling.md §A team on several shards).
import { describe, expect, it } from "vitest";
import { spansWith } from "../../../../src/resources/shards/widen.ts";

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
  ])("begins, at %s, with %s: the next midnight that is at least an hour away", (time, from) => {
    expect(spansWith([FIRST], () => [0, 1], at(time))).toEqual([FIRST, { from, shards: [0, 1] }]);
  });

  it("takes the place of one that has not begun", () => {
    const pending = { from: "20261123", shards: [0, 1] };
    expect(spansWith([FIRST, pending], () => [0, 2], at("22T20:00:00"))).toEqual([
      FIRST,
      { from: "20261123", shards: [0, 2] },
    ]);
  });

  it("leaves one that begins within the hour: isolates may know it for a minute more", () => {
    const pending = { from: "20261123", shards: [0, 1] };
    const next = { from: "20261124", shards: [0, 2] };
    expect(spansWith([FIRST, pending], () => [0, 2], at("22T23:30:00"))).toEqual([
      FIRST,
      pending,
      next,
    ]);
  });

  it("is chosen by what goes before it, so that the same call twice widens once", () => {
    const oneMore = (last: readonly number[]) => [...last, last.length];
    const once = spansWith([FIRST], oneMore, at("22T10:00:00"));
    expect(spansWith(once, oneMore, at("22T10:01:00"))).toEqual(once);
    expect(spansWith(once, oneMore, at("23T10:00:00"))).toEqual([
      ...once,
      { from: "20261124", shards: [0, 1, 2] },
    ]);
  });

  it("begins nothing where the shards stay the same, and so takes a pending one back", () => {
    expect(spansWith([FIRST], () => [0], at("22T10:00:00"))).toEqual([FIRST]);
    expect(
      spansWith([FIRST, { from: "20261123", shards: [0, 1] }], () => [0], at("22T10:00:00")),
    ).toEqual([FIRST]);
  });

  it("never takes the place of the first, which names the shard of the suppressions", () => {
    const young = { from: "20261124", shards: [0] };
    expect(spansWith([young], () => [1], at("22T10:00:00"))[0]).toEqual(young);
  });
});
