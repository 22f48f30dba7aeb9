// A child process for the supervision tests: a web server on the port of its first argument, with a
// child of its own. It prints its port. It ignores SIGTERM if its second argument is `stubborn`.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";

const [, , port, manner] = process.argv;
const companion = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
  stdio: "ignore",
});
if (manner === "stubborn") process.on("SIGTERM", () => undefined);
const server = createServer((_request, response) => {
  response.end(JSON.stringify({ pid: process.pid, companion: companion.pid }));
});
process.stdout.write(`listening on ${await listenOnLoopback(server, Number(port))}\n`);
