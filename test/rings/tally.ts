// Counts the tests of a run for the runner, which adds up the runs of a ring (run.ts).
import { appendFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** The variable that names the file to which each run appends a line with its Count. */
export const TALLY = "POSTERN_TALLY";

export interface Count {
  readonly passed: number;
  /** A line for each failure: file, full title and the first line of the error. */
  readonly failed: readonly string[];
  /** The full titles of the skipped tests. */
  readonly skipped: readonly string[];
}

export class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const path = process.env[TALLY];
    if (path === undefined) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const among = (...states: string[]) =>
      tests.filter((test) => states.includes(test.result().state));
    const count: Count = {
      passed: among("passed").length,
      failed: [
        ...unhandled.map(({ message }) => `outside a test: ${firstLine(message)}`),
        ...modules.flatMap(lostFile),
        ...among("failed").map(failure),
      ],
      skipped: among("skipped", "pending").map((test) => test.fullName),
    };
    appendFileSync(path, `${JSON.stringify(count)}\n`);
  }
}

function failure(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return `${test.module.relativeModuleId} > ${test.fullName}: ${firstLine(error?.message)}`;
}

/** Returns why a file as a whole failed. A file that can't be loaded has no failed test. */
function lostFile(module: TestModule): string[] {
  return module.errors().map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`);
}

function firstLine(message = ""): string {
  return message.split("\n", 1)[0]!.slice(0, 300);
}
