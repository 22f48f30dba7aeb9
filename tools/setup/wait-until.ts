// Repeats a request until its answer meets a condition or the time is over.
import { setTimeout as wait } from "node:timers/promises";

/** Makes at least one request. Returns the answer to the last one. */
export async function waitUntil<Found>(
  forMs: number,
  everyMs: number,
  ask: () => Promise<Found>,
  isRight: (found: Found) => boolean,
): Promise<Found> {
  const deadline = performance.now() + forMs;
  for (;;) {
    const found = await ask();
    if (isRight(found) || performance.now() >= deadline) return found;
    await wait(everyMs);
  }
}
