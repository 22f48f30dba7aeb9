// Makes a run folder, starts a process that never ends in a process group of its own, prints both,
// and waits, for the test that kills this program.
import { spawn } from "node:child_process";
import { RunFolder } from "../../tools/harness/run-folder.ts";

const { path } = new RunFolder("postern-killed-");
const { pid } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
  detached: true,
  stdio: "ignore",
});
process.stdout.write(`${JSON.stringify({ path, pid })}\n`);
setInterval(() => {}, 1_000);
