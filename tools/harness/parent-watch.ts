// child.ts preloads this file into every Node program that it starts. When the parent dies, the
// pipe to it closes. Then this file ends the child's whole process group. Before that, it removes
// the file that says where the local stack runs.
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
