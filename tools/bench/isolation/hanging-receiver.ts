// A webhook receiver that hangs. It never answers under /never. It answers under /late just before
// the sender gives up, so the delivery succeeds and the service never pauses the webhook. The
// receiver reports how many requests wait.
import { createServer } from "node:http";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { serveCommands } from "../../harness/command-loop.ts";

export interface HangingRequests {
  readonly requests: number;
}

/** Milliseconds after which /late answers. The sender gives up after five seconds. */
const LATE_MS = 4_500;

let requests = 0;

const server = createServer((request, response) => {
  requests += 1;
  response.on("close", () => (requests -= 1));
  request.resume();
  if (request.url === "/late") setTimeout(() => response.end(), LATE_MS);
});
console.log(`listening on ${await listenOnLoopback(server)}`);
await serveCommands(async () => ({ requests }) satisfies HangingRequests);
process.exit(0);
