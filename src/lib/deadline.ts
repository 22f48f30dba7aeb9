// Waits for an answer, but not for ever.

/**
 * What `work` resolves to, within `ms` milliseconds. Rejects when that fails or comes too late; the
 * work itself is not stopped.
 */
export async function within<Result>(
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
