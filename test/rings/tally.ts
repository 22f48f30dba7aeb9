// Counts the tests of a run for the runner, which adds up the runs of a ring (run.ts).
import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** The variable that names the file to which each run appends a line with its Count. */
export const TALLY = "POSTERN_TALLY";

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** The full titles of the skipped tests. */
  readonly skipped: readonly string[];
}

export class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[TALLY];
    if (path === undefined) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const among = (...states: string[]) =>
      tests.filter((test) => states.includes(test.result().state));
    const count: Count = {
      passed: among("passed").length,
      failed: among("failed").length,
      skipped: among("skipped", "pending").map((test) => test.fullName),
    };
    appendFileSync(path, `${JSON.stringify(count)}\n`);
  }
}
