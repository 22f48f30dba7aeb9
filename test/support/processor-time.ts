// How the cost of work grows with its size, in processor time: a clock on the wall counts all that
// a busy machine does beside it.
import { expect } from "vitest";

/**
 * Linear work costs that many times as much at the larger of two sizes, quadratic work the square
 * of it: 256 times.
 */
const APART = 16;
/**
 * Between what is allowed and what is not, in factors: noise has to distort a measure four times
 * over to decide.
 */
const LINEAR_BELOW = 64;
const BOUNDED_BELOW = 4;
/** A cost below it counts as this much: so short a run is mostly noise. */
const LEAST_MS = 0.25;
const ROUNDS = 6;
const SMALL_RUNS = 8;

/**
 * Makes the input of one run, which does not count, and gives the work. A function that remembers
 * its inputs needs another one each time.
 */
export type WorkOf = (size: number) => () => unknown;

/** Fails when the work costs more than linear processor time up to the size `largest`. */
export async function expectLinear(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, LINEAR_BELOW);
}

/**
 * Fails when the work costs more at the size `largest` than at a sixteenth of it: a limit holds
 * both.
 */
export async function expectBounded(largest: number, workOf: WorkOf): Promise<void> {
  await expectGrowth(largest, workOf, BOUNDED_BELOW);
}

async function expectGrowth(largest: number, workOf: WorkOf, below: number): Promise<void> {
  let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = () => large / Math.max(small, LEAST_MS);
  // The best of each counts. Rounds beyond the first are for the rare run into which a collection
  // of garbage falls.
  for (let round = 0; round < ROUNDS && !(growth() < below); round += 1) {
    // The larger comes first, so that the smaller meets compiled code as well.
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

/** The cheapest of a few runs, which end early once they have cost `enough` together. */
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
