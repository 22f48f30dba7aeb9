// Tests when open work counts as overdue (tools/chaos/check/overdue.ts), and how a violation shows
// it.
import { expect, it } from "vitest";
import { findUnsettled, OverdueWork } from "../../../tools/chaos/check/overdue.ts";

const DUE = Date.UTC(2026, 10, 28, 12);
const LOOKS = 100;
const JOB = { what: "email_1/0: queue", dueAt: DUE };

/** Looks at the same work many times, at `now`. Returns what the last look found. */
function look(work: OverdueWork, job: typeof JOB | { what: string; dueAt: null }, now: number) {
  let found: string[] = [];
  for (let times = 0; times < LOOKS; times += 1) found = work.look([job], now);
  return found;
}

it("work is not overdue before its due time, however often it is seen", () => {
  const work = new OverdueWork();
  expect(look(work, JOB, DUE - 1)).toEqual([]);
  expect(work.look([JOB], DUE)).toEqual([]);
});

it("work is overdue if nothing changed it in a hundred checks after its due time", () => {
  const found = look(new OverdueWork(), JOB, DUE + 31_000);
  expect(found).toEqual(["email_1/0: queue, due 31.0 s ago (2026-11-28T12:00:00.000Z)"]);
});

it("work counts as new work after its due time has moved, and work without a due time is overdue too", () => {
  const work = new OverdueWork();
  look(work, JOB, DUE);
  expect(work.look([{ ...JOB, dueAt: DUE + 1 }], DUE + 1)).toEqual([]);
  expect(look(work, { what: "batches: 1", dueAt: null }, DUE)).toEqual([
    "batches: 1, without a due time",
  ]);
});

it("a violation names the overdue work and everything that is left", () => {
  const ledger = { messages: 1, monthlyUsed: 2, undelivered: 0, unpaged: 0 };
  const later = { what: "email_1/1: retry", dueAt: DUE + 5_000 };
  const remains = { requests: 1, ledger, work: [JOB, later], now: DUE };
  expect(findUnsettled([], remains)).toEqual([]);
  expect(findUnsettled(["email_1/0 is late"], remains).map(({ detail }) => detail)).toEqual([
    "email_1/0 is late",
    "requests under way: 1",
    "email_1/0: queue, due 0.0 s ago (2026-11-28T12:00:00.000Z)",
    "email_1/1: retry, due in 5.0 s (2026-11-28T12:00:05.000Z)",
  ]);
});
