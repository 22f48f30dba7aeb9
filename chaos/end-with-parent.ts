// Ends workerd as soon as the harness is gone, however that ended: Miniflare leaves it behind when
// it is killed outright. Told its process id on stdin, a line each time that it is started.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

let pid = 0;

createInterface({ input: process.stdin })
  .on("line", (line) => (pid = Number(line)))
  .once("close", () => {
    if (commandOf(pid).endsWith("workerd")) process.kill(pid, "SIGKILL");
  });

/** Empty: it has ended. */
function commandOf(process: number): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, "utf8").split("\0")[0] ?? "";
  } catch {
    return "";
  }
}
