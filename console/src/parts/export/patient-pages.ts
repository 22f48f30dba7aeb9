// Reads a list to its end. It waits where the service asks to, or gives no answer, and goes on from
// there.
import { ApiFailure, Unanswered } from "../../api/failure.ts";

/** Time between two requests, so that the pages of the session have requests left. */
const PACE_MS = 150;
/** Time until the next try where the service did not say it. */
const PAUSE_MS = 2_000;
const MOST_TRIES = 30;

interface ReadPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Reads every page of a list, one after the other. */
export async function* readPages<Row>(
  pageAfter: (after: string | null) => Promise<ReadPage<Row>>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], undefined> {
  let after: string | null = null;
  do {
    if (after !== null) await pause(PACE_MS, signal);
    const position: string | null = after;
    const page: ReadPage<Row> = await askPatiently(() => pageAfter(position), signal);
    yield page.data;
    after = page.next_cursor;
  } while (after !== null);
}

/** Asks again after a 429 or no answer. */
export async function askPatiently<Result>(
  ask: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const isPassing =
        error instanceof Unanswered || (error instanceof ApiFailure && error.status === 429);
      if (!isPassing || tries >= MOST_TRIES) throw error;
      await pause((error instanceof ApiFailure ? error.retryAfterMs : null) ?? PAUSE_MS, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal.throwIfAborted();
}
