// Lets large bodies take turns, so that other requests are answered in between. Parsing a body of 5
// MB occupies the isolate for up to half a second, and twenty of them at once would occupy it for
// ten.

/** Smaller work needs no turn. */
const LARGE_OCTETS = 256 * 1024;
/**
 * The rest after a turn, in which other requests run: 100 ms after a body of 5 MB, which is enough
 * for their look-ups.
 */
const OCTETS_PER_REST_MS = 50 * 1024;
const POLL_MS = 10;
/** A turn that lasts longer was given up, because its request was canceled. */
const LONGEST_TURN_MS = 10_000;

/** Read when the module loads, so that a test's fake clock does not stop the work. */
const setRealTimeout = globalThis.setTimeout;
const now = Date.now.bind(Date);

/** When the present turn began, Unix milliseconds; null: no turn is under way. */
let begunAt: number | null = null;
let restUntil = 0;

/**
 * Runs synchronous work on this many octets. Requests wait with timers of their own, because a
 * request may not await another's promise.
 */
export async function runInTurn<Result>(octets: number, work: () => Result): Promise<Result> {
  if (octets < LARGE_OCTETS) return work();
  while (isTaken()) await pause(POLL_MS);
  begunAt = now();
  try {
    return work();
  } finally {
    // The clock stands still during work, so the rest begins with the next event.
    await pause(1);
    begunAt = null;
    restUntil = now() + octets / OCTETS_PER_REST_MS;
  }
}

function isTaken(): boolean {
  if (begunAt !== null) return now() - begunAt < LONGEST_TURN_MS;
  return now() < restUntil;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setRealTimeout(resolve, ms));
}
