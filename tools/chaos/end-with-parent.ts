// Ends workerd as soon as the harness is gone, however it ended: Miniflare leaves workerd behind
// when it is killed outright. It receives workerd's process id on stdin, one line for each start.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

let pid = 0;

createInterface({ input: process.stdin })
  .on("line", (line) => (pid = Number(line)))
  .once("close", () => {
    if (commandOf(pid).endsWith("workerd")) process.kill(pid, "SIGKILL");
  });

/** Empty if the process has ended. */
function commandOf(process: number): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, "utf8").split("\0")[0] ?? "";
  } catch {
    return "";
  }
}
