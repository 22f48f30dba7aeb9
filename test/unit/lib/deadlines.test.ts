// Deadlines: who is late is told so in time, who is not never is, and nothing keeps a timer that
// waits for nobody.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Deadlines } from "../../../src/lib/deadlines.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("tells each that is late when its own time is over, and never one that was in time", () => {
  const deadlines = new Deadlines(5_000);
  const told: string[] = [];
  const begin = (name: string) =>
    deadlines.begin(() => told.push(`${name} at ${Date.now() - start}`));
  const start = Date.now();
  begin("first");
  vi.advanceTimersByTime(1_000);
  const inTime = begin("second");
  begin("third");
  vi.advanceTimersByTime(3_999);
  inTime();
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["first at 5000"]);
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual(["first at 5000", "third at 6000"]);
});

it("takes whoever begins while others are told", () => {
  const deadlines = new Deadlines(1_000);
  const told: number[] = [];
  const start = Date.now();
  deadlines.begin(() => {
    told.push(Date.now() - start);
    deadlines.begin(() => told.push(Date.now() - start));
  });
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual([1_000, 2_000]);
});

it("needs one timer for many, and none when nobody waits any more", () => {
  const deadlines = new Deadlines(1_000);
  const ends = Array.from({ length: 100 }, () => deadlines.begin(() => {}));
  expect(vi.getTimerCount()).toBe(1);
  for (const end of ends) end();
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
  const told = vi.fn();
  deadlines.begin(told);
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
