// A child for the tests of supervision: a web server on the port of its first argument with a
// process of its own beside it. GET /sick makes /healthz fail, GET /lost makes it say that it is
// lost, GET /said makes it say something.
import { spawn } from "node:child_process";
import { createServer } from "node:http";

const [, , port, fault] = process.argv;
if (fault === "broken") throw new Error("broken on purpose");

const companion = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
  stdio: "ignore",
});
let healthy = true;
const server = createServer((request, response) => {
  if (request.url === "/sick") healthy = false;
  if (request.url === "/lost") setTimeout(() => process.stdout.write("lost\n"), 20);
  if (request.url === "/said") process.stdout.write("said\n");
  response.statusCode = healthy ? 200 : 503;
  response.end(JSON.stringify({ pid: process.pid, companion: companion.pid }));
});
server.listen(Number(port), "127.0.0.1");
if (fault === "stubborn") process.on("SIGTERM", () => undefined);
