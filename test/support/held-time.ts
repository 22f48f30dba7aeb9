// A deadline that ends when the test says so. The code that waits for it runs in a context of its
// own, whose timers a test can't fire, so the fake timer polls whether it may go off.
import { vi } from "vitest";

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
