// A worker that accepts every key, every reply address and every message immediately. `bench smtp`
// uses it to measure the gateway alone.
import { createServer } from "node:http";
import { listenOnLoopback } from "../../harness/loopback.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const STORED =
  '{"id":"email_00000000000000000000000000000000","created_at":"2026-01-01T00:00:00.000Z"}';

const REPLY_ADDRESSES = "/gateway/reply-addresses/";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.once("end", () => {
    const isQuestion = request.method === "GET" || request.url?.startsWith(REPLY_ADDRESSES);
    if (isQuestion) response.writeHead(204).end();
    else if (request.url === "/gateway/message-bundles")
      response.writeHead(200, JSON_TYPE).end(answerFrames(Buffer.concat(chunks)));
    else response.writeHead(202, JSON_TYPE).end(STORED);
  });
});

/** Makes an answer for each frame (docs/gateway-protocol.md). */
function answerFrames(bundle: Buffer): string {
  const answers: string[] = [];
  for (let at = 0; at < bundle.length; at += 4 + bundle.readUInt32BE(at))
    answers.push(`{"status":202,"retry_after":false,"body":${STORED}}`);
  return `{"answers":[${answers.join(",")}]}`;
}

console.log(`listening on ${await listenOnLoopback(server)}`);
process.stdin.resume().once("end", () => process.exit(0));
