// The small HTTP server of the inbox and the DNS server. It reads a body up to a limit, calls one
// handler and writes the result. It answers only requests for this machine, because a web page can
// resolve any name to 127.0.0.1 (loopback-host.ts). A handler's Problem becomes a response with its
// status and a JSON message. Any other error becomes a 500 with the error's text, because this is a
// developer's machine.
import { once } from "node:events";
import * as http from "node:http";
import * as net from "node:net";
import { isLoopbackHost } from "./loopback-host.ts";

const BODY_BYTES = 8 * 1024 * 1024;
const FIRST_OCTET_MS = 10_000;

export interface HttpRequest {
  readonly method: string;
  /** The decoded segments of the path: "/api/messages" is ["api", "messages"]. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface LocalReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A refused request, with the reason for the caller. */
export class Problem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface HttpServer {
  readonly port: number;
  /** Ends every connection, including those that wait for an answer. */
  close(): Promise<void>;
}

/** Another protocol on the same port. It takes over connections by their first octet. */
export interface Companion {
  readonly isOwn: (first: number) => boolean;
  readonly take: (socket: net.Socket) => void;
}

/**
 * Listens on 127.0.0.1. Port 0 takes any free port. If a handler returns null, the request is never
 * answered.
 */
export async function serveHttp(
  port: number,
  handle: (request: HttpRequest) => Promise<LocalReply | null>,
  companion?: Companion,
): Promise<HttpServer> {
  const server = http.createServer((incoming, outgoing) => void answer(incoming, outgoing, handle));
  const sockets = new Set<net.Socket>();
  const door = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    if (companion) sort(socket, companion, server);
    else server.emit("connection", socket);
  });
  door.listen(port, "127.0.0.1");
  await once(door, "listening");
  return {
    port: (door.address() as net.AddressInfo).port,
    async close() {
      const closed = once(door, "close");
      door.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Passes the connection to the protocol of its first octet. That octet has not been consumed. */
function sort(socket: net.Socket, { isOwn, take }: Companion, server: http.Server): void {
  const drop = (): void => void socket.destroy();
  socket.once("error", drop);
  socket.setTimeout(FIRST_OCTET_MS, drop);
  socket.once("data", (chunk: Buffer) => {
    socket.pause();
    socket.off("error", drop);
    socket.setTimeout(0);
    socket.off("timeout", drop);
    socket.unshift(chunk);
    if (isOwn(chunk[0] ?? 0)) take(socket);
    else server.emit("connection", socket);
    socket.resume();
  });
}

export function jsonReply(status: number, value: unknown): LocalReply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(value),
  };
}

/** Parses the request's body as a JSON object. Throws a 400 Problem. */
export function jsonBody(request: HttpRequest): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(request.body.toString("utf8"));
  } catch {
    throw new Problem(400, "the body is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Problem(400, "the body is not a JSON object");
  return value as Record<string, unknown>;
}

async function answer(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  handle: (request: HttpRequest) => Promise<LocalReply | null>,
): Promise<void> {
  // A client that disconnects during its request needs no answer.
  incoming.on("error", () => undefined);
  let reply: LocalReply | null;
  try {
    refuseOtherHosts(incoming.headers.host);
    reply = await handle(await read(incoming));
  } catch (error) {
    const status = error instanceof Problem ? error.status : 500;
    const message = error instanceof Error ? error.message : String(error);
    reply = jsonReply(status, { error: { message } });
  }
  if (reply === null) return;
  outgoing.writeHead(reply.status, reply.headers);
  outgoing.end(reply.body);
}

function refuseOtherHosts(host: string | undefined): void {
  if (isLoopbackHost(host)) return;
  throw new Problem(
    403,
    "this server only answers requests for this machine (127.0.0.1, [::1], localhost), and " +
      `this request is for ${host ?? "no host"}`,
  );
}

async function read(incoming: http.IncomingMessage): Promise<HttpRequest> {
  const url = new URL(incoming.url ?? "/", "http://localhost");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES) throw new Problem(413, `the body is larger than ${BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return {
    method: incoming.method ?? "GET",
    path: segments(url.pathname),
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}

function segments(pathname: string): string[] {
  try {
    return pathname.split("/").slice(1).map(decodeURIComponent);
  } catch {
    throw new Problem(400, "the path is not properly encoded");
  }
}
