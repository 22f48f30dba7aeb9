// Preloaded into every child of `npm start`: when the pipe to the parent closes, however the parent
// died, the child's whole process group goes too, and before it the file that says where the stack
// is to be found.
import { rmSync } from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

/** The fourth entry of the child's stdio. */
const LEASH_DESCRIPTOR = 3;

if (isMainThread) {
  const leash = new Socket({ fd: LEASH_DESCRIPTOR });
  leash.on("error", () => undefined);
  leash.on("close", () => {
    const stackFile = process.env["POSTERN_STACK_FILE"];
    if (stackFile) rmSync(stackFile, { force: true });
    process.kill(-process.pid, "SIGKILL");
  });
  leash.resume();
  leash.unref();
}
