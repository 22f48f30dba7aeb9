// Gives vi.waitFor the limit of expect.poll (vitest.config.ts) in every test. Vitest has a setting
// only for expect.poll. Its vi.waitFor has a limit of its own, one second.
import { inject, vi } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** The longest time that a test waits for something that it expects to happen. */
    pollMs: number;
  }
}

const { waitFor } = vi;
const timeout = inject("pollMs");

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === "number" ? options : { timeout, ...options });
