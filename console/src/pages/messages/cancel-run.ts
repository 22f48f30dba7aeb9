// Cancels a campaign's messages call by call, a hundred each, within the session's rate. Pure.

interface CancelAnswer {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
}

interface CancelRun {
  readonly cancelNext: () => Promise<CancelAnswer>;
  /** Called after each call with the number of messages that are canceled so far. */
  readonly onProgress: (done: number) => void;
  /** Waits before the next call. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Canceled before, by a run that failed. */
  readonly before: number;
}

/** Time between two calls: half of the requests that a session may make. */
export const CANCEL_PAUSE_MS = 200;

/** Runs until none is left or the signal stops it. Returns how many are canceled. */
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
