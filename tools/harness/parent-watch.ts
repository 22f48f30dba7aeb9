// child.ts preloads this file into every Node program that it starts. The pipe to the parent closes
// when the parent dies. This file then removes the file that says where the local stack runs, and
// ends the child's whole process group.
import { rmSync } from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

/** Index of the pipe in the child's stdio. */
const PARENT_DESCRIPTOR = 3;

if (isMainThread) {
  const parent = new Socket({ fd: PARENT_DESCRIPTOR });
  parent.on("error", () => undefined);
  parent.on("close", () => {
    const stackFile = process.env["POSTERN_STACK_FILE"];
    if (stackFile) rmSync(stackFile, { force: true });
    process.kill(-process.pid, "SIGKILL");
  });
  parent.resume();
  parent.unref();
}
