// Lets large bodies take turns, so that other requests are answered in between. Parsing a body of 5
// MB occupies the isolate for up to half a second, so twenty bodies would occupy it for ten
// seconds.

/** Work on fewer octets runs at once, without a turn. */
const LARGE_OCTETS = 256 * 1024;
/**
 * Number of octets in a turn for which other requests then get one millisecond. A body of 5 MB
 * gives them 100 ms, which is enough for their look-ups.
 */
const OCTETS_PER_REST_MS = 50 * 1024;
const POLL_MS = 10;
/** A turn that lasts longer counts as over, because its request was canceled. */
const LONGEST_TURN_MS = 10_000;

/**
 * The timer and the clock are read when the module loads, so that a test's fake clock does not stop
 * the work.
 */
const setRealTimeout = globalThis.setTimeout;
const now = Date.now.bind(Date);

/** When the current turn began, in Unix milliseconds. Null: no turn runs. */
let begunAt: number | null = null;
let restUntil = 0;

/**
 * Runs synchronous work on this many octets when no other turn runs. Each request waits by its own
 * timer, because a request may not await a promise of another request.
 */
export async function runInTurn<Result>(octets: number, work: () => Result): Promise<Result> {
  if (octets < LARGE_OCTETS) return work();
  while (isTaken()) await pause(POLL_MS);
  begunAt = now();
  try {
    return work();
  } finally {
    // A Worker's clock stands still while code runs. This pause lets the clock show when the work
    // ended. The time for other requests begins then.
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
