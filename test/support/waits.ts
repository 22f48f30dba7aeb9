// Gives vi.waitFor the limit and the interval of expect.poll (vitest.config.ts) in every test.
// Vitest has a setting only for expect.poll. Its vi.waitFor has a limit of its own, one second.
import { inject, vi } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** The longest time that a test waits for something that it expects to happen. */
    pollMs: number;
    /** The time between two looks at what a test waits for. */
    pollEveryMs: number;
  }
}

const { waitFor } = vi;
const timeout = inject("pollMs");
const interval = inject("pollEveryMs");

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === "number" ? options : { timeout, interval, ...options });
