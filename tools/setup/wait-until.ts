// Asks again until an answer is as it should be or the time is over.
import { setTimeout as wait } from "node:timers/promises";

/** Asks at least once. Returns the last answer. */
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
