// A child process for the supervision tests: a web server on the port of its first argument, with a
// child of its own. GET /sick makes /healthz fail, GET /lost makes the process print that it is
// lost, GET /said makes it print a line.
import { spawn } from "node:child_process";
import { createServer } from "node:http";

const [, , port, fault] = process.argv;
if (fault === "broken") throw new Error("broken on purpose");
// Like wrangler after a failed build, the child keeps running and answers no request.
if (fault === "unbuilt")
  await new Promise(() => {
    process.stdout.write("unbuilt\nerror: line 7\n");
    setInterval(() => {}, 1000);
  });

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
