// The front of `npm start -- --front`: Cloudflare's network in front of the local worker
// (docs/local.md §The front). One port serves TLS, and HTTP as a proxy. A program that uses the
// proxy reaches every name of the local DNS. The worker's own requests use the proxy too.
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import { json } from "node:stream/consumers";
import type { SecureContext } from "node:tls";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { openDoor, orFault, relay, sortByFirstOctet } from "../http-server.ts";
import { isLoopbackHost } from "../loopback-host.ts";
import { FrontCertificates } from "./front-certificates.ts";
import { type Edge, hasCertificate, outcomeOf, wayOf } from "./front-outcome.ts";
import type { FrontZone } from "./front-zone.ts";
import type { StackZone } from "./stack-zone.ts";
import { FAILED_HEADER, URL_HEADER } from "./outgoing-requests.ts";

export interface FrontOptions {
  /** The directory of the front's certificate authority. */
  readonly directory: string;
  /** Returns the current zone and DNS. */
  readonly edge: () => Promise<Edge>;
  /** Returns the worker's port. Null: no worker runs. */
  readonly workerPort: () => number | null;
  /**
   * The zone that `GET /zone` returns and `PUT /zone` changes. Absent: the zone belongs to the
   * account's double.
   */
  readonly zone?: StackZone;
}

export interface Front {
  /** The file with the certificate of the front's authority. */
  readonly ca: string;
  readonly close: () => Promise<void>;
}

const HOST = "127.0.0.1";
const TLS_HANDSHAKE = 0x16;
const HTTPS_PORT = 443;
const NO_CERTIFICATE = "the TLS handshake failed: the front has no certificate for this name";

export async function openFront(
  port: number,
  { directory, edge, workerPort, zone }: FrontOptions,
): Promise<Front> {
  const certificates = new FrontCertificates(directory);
  const choose = async (
    name: string,
    done: (error: Error | null, context?: SecureContext) => void,
  ): Promise<void> => {
    const isKnown = hasCertificate(await edge(), name);
    if (isKnown) done(null, certificates.contextFor(name));
    else done(new Error(NO_CERTIFICATE));
  };
  const secure = https.createServer(
    { SNICallback: (name, done) => void choose(name, done) },
    orFault((request, response) => answer(request, response, edge, workerPort())),
  );
  // A failed handshake ends only its own connection.
  secure.on("tlsClientError", () => undefined);
  const securePort = await listenOnLoopback(secure);
  const proxy = http.createServer(
    orFault((request, response) =>
      zone && request.url === "/zone"
        ? answerZone(request, response, zone)
        : passOn(request, response, { securePort, authority: certificates.authority, edge }),
    ),
  );
  proxy.on("connect", (request: http.IncomingMessage, socket: net.Socket) => {
    void tunnel(request.url ?? "", socket, securePort, edge);
  });
  const companion = {
    isOwn: (first: number) => first === TLS_HANDSHAKE,
    take: (socket: net.Socket) => join(socket, securePort),
  };
  const door = await openDoor(port, (socket) => sortByFirstOctet(socket, companion, proxy));
  return {
    ca: certificates.path,
    async close() {
      secure.close();
      await door.close();
      secure.closeAllConnections();
    },
  };
}

/** Reads or changes the zone, for the developer. */
async function answerZone(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  zone: StackZone,
): Promise<void> {
  if (!isLoopbackHost(request.headers.host)) return void response.writeHead(403).end();
  if (request.method === "PUT") zone.change((await json(request)) as Partial<FrontZone>);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(zone.zone));
}

/** Answers a request that came over TLS. */
async function answer(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  edge: FrontOptions["edge"],
  workerPort: number | null,
): Promise<void> {
  const [host = ""] = (incoming.headers.host ?? "").toLowerCase().split(":");
  const agent = incoming.headers["user-agent"] ?? "";
  const outcome = outcomeOf(await edge(), host, incoming.url ?? "/", agent);
  if (outcome.kind === "website")
    return void outgoing
      .writeHead(200, { "content-type": "text/plain; charset=UTF-8" })
      .end(`The website of the operator at ${host}\n`);
  if (outcome.kind === "refused" || workerPort === null) {
    const { status, code } = outcome.kind === "refused" ? outcome : { status: 530, code: 1101 };
    return void outgoing
      .writeHead(status, { "content-type": "text/plain; charset=UTF-8", server: "cloudflare" })
      .end(`error code: ${code}`);
  }
  const { method, url, headers } = incoming;
  const passed = http.request({ host: HOST, port: workerPort, method, path: url, headers });
  relay(incoming, passed, outgoing, () => outgoing.destroy());
}

/** Sends a request of the worker over TLS to the host in its URL. */
async function passOn(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  {
    securePort,
    authority,
    edge,
  }: { securePort: number; authority: string; edge: FrontOptions["edge"] },
): Promise<void> {
  const { [URL_HEADER]: asked, host: _, connection: __, ...headers } = incoming.headers;
  const failed = (reason: string): void =>
    void outgoing.writeHead(502, { [FAILED_HEADER]: reason }).end();
  const target = URL.parse(String(asked));
  if (!isLoopbackHost(incoming.headers.host) || target === null)
    return failed("the front takes TLS, CONNECT, and requests of the local worker");
  const problem = await obstacle(edge, target.hostname);
  if (problem !== null) return failed(problem);
  const { hostname, pathname, search } = target;
  const passed = https.request({
    host: HOST,
    port: securePort,
    servername: hostname,
    ca: authority,
    method: incoming.method,
    path: pathname + search,
    headers: { ...headers, host: hostname },
    agent: false,
  });
  relay(incoming, passed, outgoing, (error) => failed(reasonOf(error)));
}

/** Connects a client of the proxy with the front, if the name leads to the front. */
async function tunnel(
  target: string,
  socket: net.Socket,
  securePort: number,
  edge: FrontOptions["edge"],
): Promise<void> {
  const { hostname = "", port: wanted = "" } = URL.parse(`http://${target}`) ?? {};
  const isHttps = Number(wanted || HTTPS_PORT) === HTTPS_PORT;
  const problem = isHttps ? await obstacle(edge, hostname) : "the proxy leads to port 443 only";
  if (problem !== null) {
    socket.end(`HTTP/1.1 502 ${problem}\r\n\r\n`);
    return;
  }
  socket.write("HTTP/1.1 200 Connected\r\n\r\n");
  join(socket, securePort);
}

/** Connects a client's socket with the TLS server. */
function join(socket: net.Socket, securePort: number): void {
  const secure = net.connect(securePort, HOST);
  secure.on("error", () => socket.destroy());
  socket.on("error", () => secure.destroy());
  socket.on("close", () => secure.destroy());
  socket.pipe(secure).pipe(socket);
}

/** Returns the reason why the host does not lead to the front. Null: it leads there. */
async function obstacle(edge: FrontOptions["edge"], host: string): Promise<string | null> {
  const way = wayOf(await edge(), host);
  if (way.kind === "front") return null;
  return way.kind === "nowhere"
    ? `${host} has no address in the local DNS`
    : `${host} leads to ${way.address}, which is not this service`;
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === "ECONNRESET" ? NO_CERTIFICATE : (error.code ?? error.message);
}
