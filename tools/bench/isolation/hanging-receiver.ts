// A hanging webhook receiver. Under /never it never answers. Under /late it answers just before the
// sender gives up, which no circuit can count as a failure. It reports the number of waiting
// requests.
import { createServer } from "node:http";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { answerQuestions } from "../../harness/command-loop.ts";

export interface Hanging {
  readonly requests: number;
}

/** Part of the five seconds that a delivery has. */
const LATE_MS = 4_500;

let requests = 0;

const server = createServer((request, response) => {
  requests += 1;
  response.on("close", () => (requests -= 1));
  request.resume();
  if (request.url === "/late") setTimeout(() => response.end(), LATE_MS);
});
console.log(`listening on ${await listenOnLoopback(server)}`);
await answerQuestions(async () => ({ requests }) satisfies Hanging);
process.exit(0);
