// Cancels a campaign's messages in calls of a hundred messages, within the session's request rate.
// Pure.

interface CancelAnswer {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
}

interface CancelRun {
  readonly cancelNext: () => Promise<CancelAnswer>;
  /** Is called after each call with the number of messages canceled so far. */
  readonly onProgress: (done: number) => void;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
  /** The number of messages that an earlier failed run canceled. */
  readonly before: number;
}

/** Time between two calls. This pace uses half of the session's request rate. */
export const CANCEL_PAUSE_MS = 200;

/**
 * Cancels messages until none is left or the signal aborts. Returns the number of canceled
 * messages.
 */
export async function runCancel(run: CancelRun): Promise<number> {
  const { cancelNext, onProgress, pause, signal, before } = run;
  let done = before;
  while (!signal.aborted) {
    const { data, has_more: hasMore } = await cancelNext();
    done += data.length;
    onProgress(done);
    if (!hasMore) break;
    await pause();
  }
  return done;
}
