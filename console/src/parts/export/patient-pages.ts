// Reads a list to its end. If the service asks for a wait or does not answer, the reading pauses
// and then continues.
import { ApiFailure, NoResponse } from "../../api/failure.ts";
import type { ItemPage } from "../../../../packages/postern/src/request/item-pages.ts";
import { PACE_MS, pause } from "../../api/request-pace.ts";

/** The wait before a retry if the service names no wait. */
const PAUSE_MS = 2_000;
const MOST_TRIES = 30;

type ReadPage<Row> = Pick<ItemPage<Row>, "data" | "next_cursor">;

/** Reads every page of a list in sequence. */
export async function* readPages<Row>(
  pageAfter: (after: string | null) => Promise<ReadPage<Row>>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], undefined> {
  let after: string | null = null;
  do {
    if (after !== null) await pauseUnlessStopped(PACE_MS, signal);
    const position: string | null = after;
    const page: ReadPage<Row> = await askPatiently(() => pageAfter(position), signal);
    yield page.data;
    after = page.next_cursor;
  } while (after !== null);
}

/** Makes a request. Repeats it after a 429, and if no answer comes. */
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
        error instanceof NoResponse || (error instanceof ApiFailure && error.status === 429);
      if (!isPassing || tries >= MOST_TRIES) throw error;
      await pauseUnlessStopped(
        (error instanceof ApiFailure ? error.retryAfterMs : null) ?? PAUSE_MS,
        signal,
      );
    }
  }
}

async function pauseUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms);
  signal.throwIfAborted();
}
