// Lines that a file's work logs after the file's end (test/support/setup.ts): the whole run fails
// with an unhandled error if one of them reaches Vitest.
import { expect, it } from "vitest";
import { logWarning } from "../../src/lib/log.ts";

const WORKERS = 20;
/** All turns together take longer than the end of a test file. */
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
