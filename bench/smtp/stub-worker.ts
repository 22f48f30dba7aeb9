// A worker that says yes: every key is good and every message stored, at once. Behind it, `bench smtp` measures the gateway alone.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const STORED = '{"id":"email_00000000000000000000000000000000","created_at":"2026-01-01T00:00:00.000Z"}';

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    if (request.method === "GET") response.writeHead(204).end();
    else response.writeHead(202, { "Content-Type": "application/json" }).end(STORED);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`listening on ${(server.address() as AddressInfo).port}`));
process.stdin.resume().once("end", () => process.exit(0));
