// Measures how the cost of work grows with its size, in processor time, since a wall clock would
// also count the other work of a busy machine.
import { expect } from "vitest";

/** Two sizes that are compared: how far apart they are, and the ratio of costs that passes. */
interface Pair {
  readonly apart: number;
  /** The cost of linear work grows by `apart`, that of quadratic work by its square. */
  readonly below: number;
}

/** Noise that distorts a measurement less than fourfold does not change this result. */
const FAR: Pair = { apart: 16, below: 64 };
/**
 * Large objects get fresh memory from the system, which small ones do not. Where that is slow, only
 * two large sizes can be compared.
 */
const NEAR: Pair = { apart: 4, below: 8 };
const BOUNDED: Pair = { apart: 16, below: 4 };
/** A lower cost counts as this much, because so short a run is mostly noise. */
const LEAST_MS = 0.25;
const ROUNDS = 6;
const SMALL_RUNS = 4;

/**
 * Makes the input of one run, and returns the work. Only the work is measured. A function that
 * caches results needs a new input each time.
 */
export type WorkOf = (size: number) => () => unknown;

/** Fails when the work costs more than linear processor time up to the size `largest`. */
export async function expectLinear(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, [FAR, NEAR]);
}

/**
 * Fails when the work costs more at the size `largest` than at a sixteenth of this size. A limit
 * must bound the cost at both sizes.
 */
export async function expectBounded(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, [BOUNDED]);
}

/** Passes if one of the pairs does. */
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

/** Returns the ratio of the costs at two sizes, as soon as it is below the limit. */
async function growthBetween(
  smaller: number,
  larger: number,
  workOf: WorkOf,
  below: number,
): Promise<number> {
  let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = () => large / Math.max(small, LEAST_MS);
  // The cheapest run counts. Further rounds follow only if a run was slow, for example because of a
  // garbage collection.
  for (let round = 0; round < ROUNDS && !(growth() < below); round += 1) {
    // The larger size comes first, so that the smaller one runs compiled code as well.
    const spent = await processorMs(workOf(larger));
    large = Math.min(large, spent);
    small = Math.min(small, await bestOf(SMALL_RUNS, spent, () => workOf(smaller)));
  }
  return growth();
}

/** Returns the cost of the cheapest run. Ends once the runs have cost `enough` together. */
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
