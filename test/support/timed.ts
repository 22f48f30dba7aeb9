// How long work takes inside a Worker, whose clock moves only with I/O.

/** Milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  await scheduler.wait(0);
  const before = performance.now();
  await work();
  await scheduler.wait(0);
  return performance.now() - before;
}
