// `npm run bench scale`: computes which resource is used up first when 10,000 teams send 100
// million messages a day (docs/scaling.md). It takes the limits from scale/platform-limits.ts, so
// the result is the same on every machine. Except in a smoke run, it also counts the queries to the
// core database in the running system.
import type { Cleanup } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { coreQueryRows } from "../cost/core-queries.ts";
import type { BenchResult } from "../harness/bench-result.ts";
import type { Load } from "../scale/model.ts";
import { scaleResult } from "../scale/scale-result.ts";

const LOAD: Load = { teams: 10_000, messagesPerDay: 100_000_000, exponent: 1 };

export async function scale(
  { size, messages }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const { notes, rows } = scaleResult(LOAD);
  return {
    notes,
    rows: [...rows, ...(size === "smoke" ? [] : await coreQueryRows(messages, cleanup))],
  };
}
