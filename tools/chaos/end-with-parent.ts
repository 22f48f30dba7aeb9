// Ends workerd when the harness is gone, however the harness ended. Miniflare leaves workerd behind
// when it is killed by SIGKILL. stdin gets workerd's process id, one line for each start.
import { createInterface } from "node:readline";
import { commandOf } from "../harness/process-table.ts";

let pid = 0;

createInterface({ input: process.stdin })
  .on("line", (line) => (pid = Number(line)))
  .once("close", () => {
    if (/^\S*workerd(?: |$)/.test(commandOf(pid) ?? "")) process.kill(pid, "SIGKILL");
  });
