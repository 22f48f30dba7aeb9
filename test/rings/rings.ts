// The rings of tests (CONTRIBUTING.md §The rings) and the steps in which each ring runs. A step is
// one run of Vitest, so the projects of one step may run beside each other and those of two steps
// never do.
import { availableParallelism } from "node:os";
import { findChromium, HOW_TO_INSTALL } from "../browser/machine-chromium.ts";

export interface RingStep {
  readonly name: string;
  /** Paths of this step's tests, for a run that names a path. */
  readonly folders: readonly string[];
  readonly args: readonly string[];
  /** Returns how to install what the step needs and this machine lacks. Such a step is skipped. */
  readonly lacks?: () => string | null;
}

export interface Ring {
  readonly name: "inner" | "stacks";
  readonly config: string;
  readonly steps: readonly RingStep[];
}

/**
 * The processor time of the inner ring on two processors, in L (tools/harness/run-cost.ts). This
 * number stays at most 270: a change that adds tests takes as much away elsewhere.
 */
const INNER_COST = 270;
/** The cost of the inner ring above which CI fails, in L. */
export const ALLOWED_COST = INNER_COST * 1.3;

/**
 * The number of workers of the inner ring. A worker waits for a third of its time, and each further
 * workerd costs seconds of processor time.
 */
const WORKERS = availableParallelism() + 1;

function step(name: string, workers: number, ...folders: readonly string[]): RingStep {
  return { name, folders, args: [`--project=${name}`, `--maxWorkers=${workers}`] };
}

export const INNER: Ring = {
  name: "inner",
  config: "vitest.config.ts",
  steps: [
    {
      name: "inner",
      folders: ["unit", "api", "pipeline", "node", "gateway", "dev", "setup", "tidy"].map(
        (name) => `test/${name}`,
      ),
      args: [`--maxWorkers=${WORKERS}`],
    },
  ],
};

export const STACKS: Ring = {
  name: "stacks",
  config: "test/rings/stacks.config.ts",
  steps: [
    step("measured", 1, "test/measured"),
    // Programs and stacks mostly wait, and together take less than two processors.
    step("programs", 3, "test/programs"),
    step("stack", 2, "test/stack"),
    step("e2e", 5, "test/e2e"),
    step("chaos", 1, "test/chaos"),
    {
      ...step("browser", 3, "test/browser"),
      lacks: () => (findChromium() === null ? HOW_TO_INSTALL : null),
    },
    step("memory", 1, "test/memory"),
  ],
};
