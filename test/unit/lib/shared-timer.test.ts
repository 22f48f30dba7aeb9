// Tests deadlines (src/lib/shared-timer.ts): a wait that takes too long fails in time, a wait that
// ends early never fails, and no timer is left after the last wait.
import { beforeEach, expect, it, vi } from "vitest";
import { Deadlines } from "../../../src/lib/shared-timer.ts";

beforeEach(() => vi.useFakeTimers());
it("each late wait is notified at its own deadline, and other waits are never notified", () => {
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

it("a wait may begin while others are notified that they are late", () => {
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

it("many waits share one timer, which ends with the last wait", () => {
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
