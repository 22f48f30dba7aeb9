// Starts the process of a supervised child, in a process group of its own. supervise.ts does not do
// this itself, because unit tests import that file and must not start programs.
import { Child } from "../../harness/child.ts";
import type { ChildSpec } from "./supervise.ts";

/** `onLine` gets each line of the child's output. */
export function startProcess({ args, env }: ChildSpec, onLine: (line: string) => void): Child {
  return new Child(null, process.execPath, args, { env, inherits: true, onLine });
}
