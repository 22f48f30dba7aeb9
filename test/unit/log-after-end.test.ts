// Tests log lines that work writes after its test file has ended (test/support/setup.ts). If one of
// these lines reached Vitest, the whole run would fail with an unhandled error.
import { expect, it } from "vitest";
import { logWarning } from "../../src/lib/log.ts";

const WORKERS = 20;
/** The work logs so many lines that it outlasts the end of the test file. */
const TURNS = 200;
const TURN_MS = 5;

it("work that outlives its file may log without failing the run", async () => {
  const lines: number[] = [];
  const work = async (number: number): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      logWarning("late_line", { number, turn });
      lines.push(number);
      await scheduler.wait(TURN_MS);
    }
  };
  for (let number = 0; number < WORKERS; number += 1) void work(number);
  await expect.poll(() => new Set(lines).size).toBe(WORKERS);
  expect(lines.length).toBeLessThan(WORKERS * TURNS);
});
