// Lets time pass only when the test says so. The clock stands still, and a deadline ends when the
// test calls `pass`. The code that waits for a deadline runs in another context, whose timers a
// test can't fire, so the fake timer polls whether it may go off.
import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock until the test ends, so that a token bucket does not refill while requests take
 * time.
 */
export function stopClock(): void {
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
}

/**
 * Stops the clock, and every timer of `ms` milliseconds, until `pass` is called. The test undoes it
 * with vi.restoreAllMocks().
 */
export function holdTime(ms: number): { pass: () => void } {
  const set = globalThis.setTimeout;
  let isOver = false;
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
  const held = (callback: () => void): number => {
    const timer = setInterval(() => {
      if (!isOver) return;
      clearInterval(timer);
      callback();
    }, 5);
    return timer as unknown as number;
  };
  const setOrHold = (callback: () => void, after?: number): unknown =>
    after === ms ? held(callback) : set(callback, after);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(setOrHold as typeof setTimeout);
  return {
    pass: () => {
      clock.mockReturnValue(Date.now() + ms);
      isOver = true;
    },
  };
}

/**
 * Holds every `scheduler.wait` of `ms` milliseconds until `pass` is called. The test undoes it with
 * vi.restoreAllMocks().
 */
export function holdWaits(ms: number): { pass: () => void; readonly count: number } {
  const wait = scheduler.wait.bind(scheduler);
  const held = new Set<() => void>();
  vi.spyOn(scheduler, "wait").mockImplementation((after, options) => {
    if (after !== ms) return wait(after, options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.add(resolve);
    options?.signal?.addEventListener("abort", () => {
      held.delete(resolve);
      reject(new Error("aborted"));
    });
    return promise;
  });
  return {
    pass: () => {
      for (const resolve of held) resolve();
      held.clear();
    },
    get count() {
      return held.size;
    },
  };
}
