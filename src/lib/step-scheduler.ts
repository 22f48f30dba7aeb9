// Splits long work into steps, so that other requests are answered in between. A Worker's clock
// stands still while code runs, so work is measured in octets instead of time. The code yields to
// the event loop after OCTETS_PER_TURN.

/**
 * Number of octets that the code reads, searches and writes before it yields. That takes about 20
 * ms.
 */
const OCTETS_PER_TURN = 1024 * 1024;

/**
 * Length of the pause in which other requests run. A timer of 0 ms would fire before waiting
 * requests are read.
 */
const PAUSE_MS = 1;

/** The timer is read when the module loads, so that a test's fake clock does not stop the work. */
const setRealTimeout = globalThis.setTimeout;
let octetsDone = 0;

/**
 * Counts work on this many octets. If all work since the last yield reaches the limit, returns a
 * promise. The caller awaits it to let other requests run.
 */
export function yieldAfter(octets: number): Promise<void> | undefined {
  octetsDone += octets;
  if (octetsDone < OCTETS_PER_TURN) return undefined;
  octetsDone = 0;
  // Promise.withResolvers is missing in Node 20, on which the command line runs this code.
  return new Promise((resolve) => void setRealTimeout(resolve, PAUSE_MS));
}

/** Long work in steps. Each step yields the number of octets that it processed. */
export type Steps<Result> = Generator<number, Result, void>;

/** Runs the work step by step and yields to other requests between steps. */
export async function runInSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await yieldAfter(step.value);
  }
}

/** Runs short work without yielding. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
