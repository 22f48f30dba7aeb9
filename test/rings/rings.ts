// The rings of tests (CONTRIBUTING.md §The rings) and the steps in which each ring runs. A step is
// one run of Vitest, so the projects of one step may run beside each other and those of two steps
// never do.
import { availableParallelism } from "node:os";
import { findChromium, HOW_TO_INSTALL } from "../browser/machine-chromium.ts";

export interface RingStep {
  readonly name: string;
  /** The projects of the ring's configuration that run beside each other. */
  readonly projects: readonly string[];
  /** Paths of this step's tests, for a run that names a path. */
  readonly folders: readonly string[];
  /** The number of files that run at once. */
  readonly workers: number;
  /** Files that a run of the whole ring leaves out, because another command runs them. */
  readonly others: readonly string[];
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
/**
 * The cost of the inner ring above which CI fails, in L. Two runs of the same tests differ by up to
 * an eighth.
 */
export const ALLOWED_COST = INNER_COST * 1.3;

/** The number of workers of the inner ring. Each further workerd costs seconds of processor time. */
const WORKERS = availableParallelism();

/** A step of the stacks ring. The tests of each project are in the folder of its name. */
const step = (projects: readonly string[], workers: number): RingStep => ({
  name: projects.join(", "),
  projects,
  folders: projects.map((project) => `test/${project}`),
  workers,
  others: [],
});

export const INNER: Ring = {
  name: "inner",
  config: "vitest.config.ts",
  steps: [
    {
      name: "inner",
      projects: ["worker", "node"],
      folders: ["unit", "api", "pipeline", "node", "gateway", "dev", "setup", "tidy"].map(
        (name) => `test/${name}`,
      ),
      workers: WORKERS,
      // `npm run check` runs the house rules, which read the tree and not the product.
      others: ["test/tidy.test.ts"],
    },
  ],
};

export const STACKS: Ring = {
  name: "stacks",
  config: "test/rings/stacks.config.ts",
  steps: [
    step(["measured"], 1),
    // Stacks and programs mostly wait, and together take less than two processors.
    step(["e2e", "programs", "stack"], 7),
    step(["chaos"], 1),
    // A window mostly waits for its page, and the memory tests count bytes, not time.
    step(["browser", "memory"], 4),
  ],
};

/** Returns how to install what the project needs and this machine lacks. Such a project is skipped. */
export function lackOf(project: string): string | null {
  return project === "browser" && findChromium() === null ? HOW_TO_INSTALL : null;
}
