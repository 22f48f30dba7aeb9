// Preloaded into every child of `npm start`: when the pipe to the parent closes, however the parent died, the child's whole process group goes too.
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

/** The fourth entry of the child's stdio. */
const LEASH_DESCRIPTOR = 3;

if (isMainThread) {
  const leash = new Socket({ fd: LEASH_DESCRIPTOR });
  leash.on("error", () => undefined);
  leash.on("close", () => process.kill(-process.pid, "SIGKILL"));
  leash.resume();
  leash.unref();
}
