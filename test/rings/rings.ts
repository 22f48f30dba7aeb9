// The rings of tests (CONTRIBUTING.md §The rings) and the steps in which each ring runs. A step is
// one run of Vitest, so the projects of one step may run beside each other and those of two steps
// never do.
import { availableParallelism } from "node:os";
import { findChromium, HOW_TO_INSTALL } from "../browser/machine-chromium.ts";

export interface RingStep {
  readonly name: string;
  /** Paths of this step's tests, for a run that names a path. */
  readonly folders: readonly string[];
  /** The number of files that run at once. */
  readonly workers: number;
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

/** A step of the stacks ring: its project and its folder have its name. */
const step = (name: string, workers: number): RingStep => ({
  name,
  folders: [`test/${name}`],
  workers,
});

export const INNER: Ring = {
  name: "inner",
  config: "vitest.config.ts",
  steps: [
    {
      name: "inner",
      folders: ["unit", "api", "pipeline", "node", "gateway", "dev", "setup", "tidy"].map(
        (name) => `test/${name}`,
      ),
      workers: WORKERS,
    },
  ],
};

export const STACKS: Ring = {
  name: "stacks",
  config: "test/rings/stacks.config.ts",
  steps: [
    step("measured", 1),
    // Programs and stacks mostly wait, and together take less than two processors.
    step("programs", 3),
    step("stack", 2),
    step("e2e", 5),
    step("chaos", 1),
    {
      ...step("browser", 3),
      lacks: () => (findChromium() === null ? HOW_TO_INSTALL : null),
    },
    step("memory", 1),
  ],
};
