// Limits how long a caller waits for an answer.

/**
 * Returns the result of `work` if it arrives within `ms` milliseconds. Rejects if the work fails or
 * takes longer, but does not stop the work.
 */
export async function withTimeout<Result>(
  ms: number,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const timer = new AbortController();
  const late = scheduler.wait(ms, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([Promise.resolve().then(work), late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
