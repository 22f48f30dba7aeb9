// Plays Cloudflare's network in front of the deployed worker. It refuses programs while Browser
// Integrity Check is on (1010). It redirects requests to Access if an application asks for a
// sign-in. It passes every other request to the worker. It has no sign-in page; `--people` has one.
import { createServer, request as requestOf } from "node:http";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { REFUSED_AGENTS } from "../front/front-outcome.ts";
import { relay } from "../http-server.ts";

export interface FrontDoorOptions {
  /** Returns the deployed worker's port. Null: no worker runs. */
  readonly workerPort: () => number | null;
  /** Tells whether Browser Integrity Check is off for the worker's host. */
  readonly admitsPrograms: () => boolean;
  /** Returns the address of Access's sign-in page. Null: Access does not protect the path. */
  readonly accessLogin: (path: string) => string | null;
}

export async function openFrontDoor(
  port: number,
  { workerPort, admitsPrograms, accessLogin }: FrontDoorOptions,
): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    const agent = incoming.headers["user-agent"] ?? "";
    const target = workerPort();
    // A host without a worker does not answer.
    if (target === null) return void outgoing.destroy();
    if (REFUSED_AGENTS.test(agent) && !admitsPrograms())
      return void outgoing
        .writeHead(403, { "content-type": "text/plain; charset=UTF-8", server: "cloudflare" })
        .end("error code: 1010");
    const { method, url = "/", headers } = incoming;
    const login = accessLogin(url.split("?", 1)[0] ?? url);
    if (login !== null) return void outgoing.writeHead(302, { location: login }).end();
    const passed = requestOf({ host: "127.0.0.1", port: target, method, path: url, headers });
    relay(incoming, passed, outgoing, () => outgoing.destroy());
  });
  await listenOnLoopback(server, port);
}
