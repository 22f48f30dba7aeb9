// Measures how the cost of work grows with its size, in processor time, since a wall clock would
// also count the other work of a busy machine.
import { expect } from "vitest";

/**
 * The sizes of two measurements. `apart`: their ratio. `below`: the ratio of costs that still
 * passes.
 */
interface Pair {
  readonly apart: number;
  /**
   * Linear work costs `apart` times as much at the larger size, and quadratic work `apart` squared.
   */
  readonly below: number;
}

/**
 * Compares sizes so far apart that noise changes the result only if it distorts a measurement
 * fourfold.
 */
const FAR: Pair = { apart: 16, below: 64 };
/**
 * Compares two large sizes. The system gives large objects fresh memory, but not small ones. Where
 * that is slow, a small size and a large one cannot be compared.
 */
const NEAR: Pair = { apart: 4, below: 8 };
const BOUNDED: Pair = { apart: 16, below: 4 };
/**
 * The least cost that is used in a ratio. A lower cost counts as this much, because so short a run
 * is mostly noise.
 */
const LEAST_MS = 0.25;
const ROUNDS = 6;
const SMALL_RUNS = 4;

/**
 * Makes the input for one run, and returns the work as a function. The measurement covers only the
 * work. If the work caches results, each run needs a new input.
 */
export type WorkOf = (size: number) => () => unknown;

/** Fails when the work costs more than linear processor time up to the size `largest`. */
export async function expectLinear(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, [FAR, NEAR]);
}

/**
 * Fails when the work costs more at the size `largest` than at a sixteenth of it. Tests use this if
 * a limit bounds the work at both sizes.
 */
export async function expectBounded(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, [BOUNDED]);
}

/** Passes if the costs grow little enough for one of the pairs of sizes. */
async function expectGrowth(
  largest: number,
  workOf: WorkOf,
  pairs: readonly Pair[],
): Promise<void> {
  const growths: string[] = [];
  for (const { apart, below } of pairs) {
    const small = Math.ceil(largest / apart);
    const growth = await growthBetween(small, largest, workOf, below);
    if (growth < below) return;
    growths.push(`from ${small} to ${largest} by ${growth.toFixed(1)}, not below ${below}`);
  }
  expect(growths, "the processor time grows").toEqual([]);
}

/**
 * Returns the cost at the larger size divided by the cost at the smaller. Stops measuring once the
 * ratio is below the limit.
 */
async function growthBetween(
  smaller: number,
  larger: number,
  workOf: WorkOf,
  below: number,
): Promise<number> {
  let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = () => large / Math.max(small, LEAST_MS);
  // Keeps the lowest cost of all rounds at each size. Another round follows only if the costs grow
  // too much, which can be due to a slow run, for example with a garbage collection.
  for (let round = 0; round < ROUNDS && !(growth() < below); round += 1) {
    // The larger input runs first, so that both sizes run compiled code.
    const spent = await processorMs(workOf(larger));
    large = Math.min(large, spent);
    small = Math.min(small, await bestOf(SMALL_RUNS, spent, () => workOf(smaller)));
  }
  return growth();
}

/**
 * Repeats the work, and returns the lowest cost of a run. Ends early when all runs together have
 * cost `enough`.
 */
async function bestOf(runs: number, enough: number, work: () => () => unknown): Promise<number> {
  let [best, spent] = [Number.POSITIVE_INFINITY, 0];
  for (let run = 0; run < runs && (run === 0 || spent < enough); run += 1) {
    const one = await processorMs(work());
    best = Math.min(best, one);
    spent += one;
  }
  return best;
}

async function processorMs(work: () => unknown): Promise<number> {
  // threadCpuUsage() is exact only to the system's tick.
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
