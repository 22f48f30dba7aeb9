// Serves HTTP on this machine until the campaign ends.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Cleanup } from "../harness/cleanup.ts";
import { listenOnLoopback } from "../harness/loopback.ts";

/** Resolves with the port. */
export function serveOnLoopback(
  cleanup: Cleanup,
  take: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const server = createServer({ requestTimeout: 0 }, take);
  cleanup.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return listenOnLoopback(server);
}
