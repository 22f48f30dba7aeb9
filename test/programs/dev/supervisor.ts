// Supervises test/programs/dev/dev-child.ts, in the test that kills this parent process. The first
// argument is the child's port. Prints a line when the child is ready.
import { startProcess } from "../../../tools/dev/processes/start-process.ts";
import { SupervisedChild } from "../../../tools/dev/processes/supervise.ts";

const [, , port = "", logPath = "", stackFile = ""] = process.argv;
const args = [new URL("dev-child.ts", import.meta.url).pathname, port];
const child = new SupervisedChild(
  {
    name: "the child",
    args,
    env: { POSTERN_STACK_FILE: stackFile },
    logPath,
    healthUrl: `http://127.0.0.1:${port}/healthz`,
  },
  { notice: () => undefined, changed: () => undefined },
  startProcess,
);
await child.ready();
process.send?.("ready");
