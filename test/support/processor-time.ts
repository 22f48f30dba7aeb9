// Measures how the cost of work grows with its size, in processor time, since a wall clock would
// also count the other work of a busy machine.
import { expect } from "vitest";

/**
 * The ratio of the two sizes. Linear work costs this many times as much at the larger size,
 * quadratic work its square: 256 times.
 */
const APART = 16;
/** Ratios of cost below these pass. Noise has to distort a measurement fourfold to decide. */
const LINEAR_BELOW = 64;
const BOUNDED_BELOW = 4;
/** A lower cost counts as this much, since so short a run is mostly noise. */
const LEAST_MS = 0.25;
const ROUNDS = 6;
const SMALL_RUNS = 4;

/**
 * Makes the input of one run, which is not measured, and returns the work. A function that caches
 * results needs a new input each time.
 */
export type WorkOf = (size: number) => () => unknown;

/** Fails when the work costs more than linear processor time up to the size `largest`. */
export async function expectLinear(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, LINEAR_BELOW);
}

/**
 * Fails when the work costs more at the size `largest` than at a sixteenth of it: a limit bounds
 * both.
 */
export async function expectBounded(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, BOUNDED_BELOW);
}

async function expectGrowth(largest: number, workOf: WorkOf, below: number): Promise<void> {
  let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = () => large / Math.max(small, LEAST_MS);
  // The cheapest run counts. Further rounds are for the rare run that includes a garbage
  // collection.
  for (let round = 0; round < ROUNDS && !(growth() < below); round += 1) {
    // The larger size comes first, so that the smaller one runs compiled code as well.
    const spent = await processorMs(workOf(largest));
    large = Math.min(large, spent);
    small = Math.min(
      small,
      await bestOf(SMALL_RUNS, spent, () => workOf(Math.ceil(largest / APART))),
    );
  }
  expect(
    growth(),
    `${large} ms of processor time at size ${largest}, ${small} ms at a sixteenth of it`,
  ).toBeLessThan(below);
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
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
