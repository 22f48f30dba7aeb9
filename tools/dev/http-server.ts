// The small HTTP server of the local doubles. It reads a request's body up to a limit, calls one
// handler, and writes the handler's response. It answers only requests for this machine, because a
// web page can make any name resolve to 127.0.0.1 (loopback-host.ts). If a handler throws a
// Problem, the response has the Problem's status and its text as JSON. For any other error, the
// response is a 500 with the error's text, because this is a developer's machine.
import { once } from "node:events";
import * as http from "node:http";
import * as net from "node:net";
import { listenOnLoopback } from "../harness/loopback.ts";
import { isLoopbackHost } from "./loopback-host.ts";

const BODY_BYTES = 8 * 1024 * 1024;
const FIRST_OCTET_MS = 10_000;

export interface HttpRequest {
  readonly method: string;
  /** The segments of the path, decoded: for "/api/messages", ["api", "messages"]. */
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

export class Problem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface HttpServer {
  readonly port: number;
  /** Ends every connection, also those that wait for a response. */
  close(): Promise<void>;
}

/**
 * Another protocol on the same port. The first octet of a connection decides which protocol the
 * connection gets.
 */
export interface Companion {
  readonly isOwn: (first: number) => boolean;
  readonly take: (socket: net.Socket) => void;
}

/**
 * Starts the server on 127.0.0.1. Port 0 means any free port. If a handler returns null, its
 * request never gets a response.
 */
export async function serveHttp(
  port: number,
  handle: (request: HttpRequest) => Promise<LocalReply | null>,
  companion?: Companion,
): Promise<HttpServer> {
  const server = http.createServer((incoming, outgoing) => void answer(incoming, outgoing, handle));
  return openDoor(port, (socket) => {
    if (companion) sortByFirstOctet(socket, companion, server);
    else server.emit("connection", socket);
  });
}

/** Listens on 127.0.0.1 and passes each connection to `take`. */
export async function openDoor(
  port: number,
  take: (socket: net.Socket) => void,
): Promise<HttpServer> {
  const sockets = new Set<net.Socket>();
  const door = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    take(socket);
  });
  return {
    port: await listenOnLoopback(door, port),
    async close() {
      const closed = once(door, "close");
      door.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Passes a connection to HTTP or to the other protocol, by its first octet. That octet is put back,
 * so the protocol reads it too.
 */
export function sortByFirstOctet(
  socket: net.Socket,
  { isOwn, take }: Companion,
  server: http.Server,
): void {
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

/** Writes a request's body to `passed`, and its answer back. Calls `failed` without an answer. */
export function relay(
  incoming: http.IncomingMessage,
  passed: http.ClientRequest,
  outgoing: http.ServerResponse,
  failed: (error: Error) => void,
): void {
  passed.on("response", (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  passed.on("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else failed(error);
  });
  incoming.pipe(passed);
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<unknown>;

/** Answers 500 with the text of the handler's error, because this is a developer's machine. */
export function orFault(handle: Handler): http.RequestListener {
  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(`${String(error)}\n`);
    });
  };
}

export function jsonReply(status: number, value: unknown): LocalReply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(value),
  };
}

/** Parses a request's body as a JSON object. Throws a 400 Problem for any other body. */
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
  // A client that disconnects during its request needs no response.
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
    if (size <= BODY_BYTES) chunks.push(chunk);
  }
  // A client that is still sending might not read the response, so the whole body is read first.
  if (size > BODY_BYTES) throw new Problem(413, `the body is larger than ${BODY_BYTES} bytes`);
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
