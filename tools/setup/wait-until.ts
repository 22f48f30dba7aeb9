// Repeats a request until its answer meets a condition or the time is over.

/** The clock of a command's waits, in milliseconds. */
export interface WaitingClock {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** Makes at least one request. Returns the answer to the last request. */
export async function waitUntil<Found>(
  { now, wait }: WaitingClock,
  forMs: number,
  everyMs: number,
  ask: () => Promise<Found>,
  isRight: (found: Found) => boolean,
): Promise<Found> {
  const deadline = now() + forMs;
  for (;;) {
    const found = await ask();
    if (isRight(found) || now() >= deadline) return found;
    await wait(everyMs);
  }
}
