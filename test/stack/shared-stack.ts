// The one local stack that the tests of this folder share (stack-setup.ts). Each test file uses its
// own team and its own addresses.
import { existsSync, readFileSync } from "node:fs";
import { inject, vi } from "vitest";
import { readDev, StackClient } from "./stack-client.ts";

declare module "vitest" {
  export interface ProvidedContext {
    sharedState: string;
    /** A file that says why the stack could not start. */
    sharedFailure: string;
  }
}

/** The folder of the stack's state. */
export const STATE = inject("sharedState");

/** Waits until the stack runs. Returns a client with the key of the seeded team. */
export async function sharedStack(): Promise<StackClient> {
  const failure = inject("sharedFailure");
  const dev = await vi.waitFor(() => {
    const found = readDev(STATE);
    if (!found && !existsSync(failure)) throw new Error("the stack is not up");
    return found;
  });
  if (!dev) throw new Error(readFileSync(failure, "utf8"));
  return new StackClient(dev);
}
