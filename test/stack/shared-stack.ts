// The one local stack that the tests of this room share (stack-setup.ts). Each asks as a team of
// its own, with addresses of its own.
import { existsSync, readFileSync } from "node:fs";
import { inject, vi } from "vitest";
import { readDev, StackClient } from "./stack-client.ts";

declare module "vitest" {
  export interface ProvidedContext {
    sharedState: string;
    /** A file that tells why the stack could not start. */
    sharedFailure: string;
  }
}

/** The stack keeps its state there. */
export const STATE = inject("sharedState");

/** Waits until it is up. Returns it as the team of the seed. */
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
