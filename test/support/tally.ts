// Formats the last line of a run in CI: how many tests passed, failed and were skipped, for
// programs to read.
import type { Reporter, TestModule } from "vitest/node";

export class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
    process.stdout.write(
      `${count("passed")} passed, ${count("failed")} failed, ${count("skipped", "pending")} ` +
        "skipped\n",
    );
  }
}
