// Checks the rule for the time limits of tests (CONTRIBUTING.md §Write a test). A limit that is
// right for one machine fails on a slower one. So test/rings/test-limits.ts sets the limits of all
// waits and tests.
import { expect, it } from "vitest";
import { ownFiles, withoutComments } from "./source-files.ts";

/** A limit written as a number: an option, a last argument of a test, a constant, a signal. */
const LIMITS = [
  /\btimeout: [\d_]+/,
  /^ *\}, [\d_]{4,}\);/m,
  /\bconst (?!INTERRUPTED)[A-Z_]*(?:WITHIN|TIMEOUT|PATIENCE)(?:_MS)? = [\d_]/,
  /\bAbortSignal\.timeout\([\d_]{4,}/,
  // A fake clock of this kind moves with each look of a poll, more often on a slower machine.
  /\btoFake: \["Date"\]/,
];

it("a test sets no time limit of its own", () => {
  const wrong = ownFiles()
    .filter(
      ({ path }) =>
        path.startsWith("test/") &&
        path !== "test/tidy/time-limits.test.ts" &&
        path !== "test/rings/test-limits.ts",
    )
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      return LIMITS.flatMap((limit) => limit.exec(code)?.[0].trim() ?? []).map(
        (found) => `${path}: ${found}`,
      );
    });
  expect(wrong).toEqual([]);
});
