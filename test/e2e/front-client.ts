// Follows links as a mail program does: by https through the front of a stack, whose proxy finds the
// names of the local DNS, and whose authority alone is trusted.
import { readFileSync } from "node:fs";
import * as http from "node:http";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import type { FrontZone } from "../../tools/dev/front/front-zone.ts";

/** `status` null: no answer came, for this reason. */
interface Followed {
  readonly status: number | null;
  readonly location: string;
  readonly text: string;
}

interface FrontPlace {
  readonly url: string;
  readonly ca: string;
}

/** Asks a URL without following its redirect. */
export async function follow(front: FrontPlace, url: string): Promise<Followed> {
  const { hostname, pathname, search } = new URL(url);
  try {
    const socket = await tunnelTo(front.url, hostname);
    return await ask(socket, front.ca, { hostname, path: pathname + search });
  } catch (error) {
    return { status: null, location: "", text: (error as Error).message };
  }
}

function tunnelTo(proxy: string, hostname: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const request = http.request(proxy, { method: "CONNECT", path: `${hostname}:443`, agent: false });
  request.on("error", reject);
  request.on("connect", ({ statusCode, statusMessage }, socket) => {
    if (statusCode === 200) resolve(socket);
    else reject(new Error(statusMessage));
  });
  request.end();
  return promise;
}

function ask(
  socket: Socket,
  ca: string,
  { hostname, path }: { hostname: string; path: string },
): Promise<Followed> {
  const { promise, resolve, reject } = Promise.withResolvers<Followed>();
  const headers = { host: hostname, "user-agent": "curl", connection: "close" };
  const secure = connect({ socket, ca: readFileSync(ca, "utf8"), servername: hostname });
  const request = http.request({ createConnection: () => secure, path, headers });
  request.on("error", reject);
  request.on("response", (response) => {
    let text = "";
    response.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const { statusCode: status = 0, headers: got } = response;
    response.on("end", () => resolve({ status, location: got.location ?? "", text }));
  });
  request.end();
  return promise;
}

/** Reads the front's zone, after members of it were replaced. */
export async function changeZone(
  front: FrontPlace,
  members: Partial<FrontZone> = {},
): Promise<FrontZone> {
  const response = await fetch(`${front.url}/zone`, {
    method: "PUT",
    body: JSON.stringify(members),
  });
  return (await response.json()) as FrontZone;
}
