// One turn of the isolate answers no one else, and no clock tells how long it lasts: a Worker's
// stands still within a turn. So work is counted, and whatever works in proportion to what a
// customer wrote ends its turn once the isolate has done so much of it.

/** Octets that are read, searched and written again: some 20 ms. */
const OCTETS_PER_TURN = 1024 * 1024;

/** A timer that is due at once goes off before the requests that wait are read. */
const PAUSE_MS = 1;

/** Taken as the module loads: a test's moved clock must not hold the work. */
const later = globalThis.setTimeout;
let octetsDone = 0;

/**
 * Counts work on so many octets, and lets others have their turn when it has been enough, whoever
 * did it.
 */
export async function endTurnAfter(octets: number): Promise<void> {
  octetsDone += octets;
  if (octetsDone < OCTETS_PER_TURN) return;
  octetsDone = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  later(resolve, PAUSE_MS);
  await promise;
}

/** Long work in steps: it yields the octets that each step has worked on. */
export type Work<Result> = Generator<number, Result, void>;

/** Does the work step by step, and lets others have their turn between the steps. */
export async function inTurns<Result>(work: Work<Result>): Promise<Result> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await endTurnAfter(step.value);
  }
}

/** Does the work in one go, where it is known to be short. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
