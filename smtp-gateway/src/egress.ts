// The egress over HTTP (docs/egress-protocol.md): POST /deliver takes frames and streams outcomes back, GET /healthz tells whether it would.
// A message is on its way as soon as its frame is complete; a client that leaves changes nothing about it.
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Attempts } from "./attempts.ts";
import { ByteBudget } from "./byte-budget.ts";
import { DeliverRequest } from "./deliver-request.ts";
import type { Journal } from "./journal.ts";
import { log } from "./log.ts";

const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 75_000;
const LINGER_MS = 5_000;
const CLOSE_IDLE_EVERY_MS = 50;

export interface EgressOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly token: string;
  /** Bytes of messages in memory, over all requests. */
  readonly bytesInFlight: number;
  /** How long a client may pause inside a body, in milliseconds. */
  readonly stallMs: number;
}

export class Egress {
  readonly #options: EgressOptions;
  readonly #attempts: Attempts;
  readonly #journal: Journal;
  readonly #budget: ByteBudget;
  readonly #tokenDigest: Buffer;
  readonly #server: Server;
  readonly #underWay = new Set<DeliverRequest>();
  #draining = false;

  constructor(options: EgressOptions, attempts: Attempts, journal: Journal) {
    this.#options = options;
    this.#attempts = attempts;
    this.#journal = journal;
    this.#budget = new ByteBudget(options.bytesInFlight);
    this.#tokenDigest = digest(options.token);
    // A body may take as long as deliveries do: what bounds it is the pause between two chunks.
    this.#server = createServer(
      { requestTimeout: 0, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
      (request, response) => {
        this.#route(request, response);
      },
    );
  }

  /** Resolves with the port. Rejects with what listen() says. */
  async listen(): Promise<number> {
    this.#server.listen(this.#options.port, this.#options.host);
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on 503; requests under way are answered for the frames that were complete. */
  drain(): void {
    this.#draining = true;
    for (const deliver of this.#underWay) deliver.cutOff();
  }

  /** Resolves when the last response has gone out; every connection ends when `signal` fires. */
  async close(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    const force = (): void => this.#server.closeAllConnections();
    if (signal.aborted) force();
    signal.addEventListener("abort", force);
    const idle = setInterval(() => this.#server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    await promise;
    clearInterval(idle);
    signal.removeEventListener("abort", force);
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split("?", 1)[0];
    if (path === "/healthz") return this.#health(request, response);
    if (path !== "/deliver") return refuse(request, response, 404, "no such path");
    if (request.method !== "POST") return refuse(request, response.setHeader("allow", "POST"), 405, "POST only");
    if (!this.#authorized(request)) return refuse(request, response.setHeader("www-authenticate", "Bearer"), 401, "wrong token");
    const reason = this.#unavailable();
    if (reason !== null) return refuse(request, response, 503, reason);
    void this.#deliver(request, response);
  }

  async #deliver(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const deliver = new DeliverRequest(request, response, this.#options.stallMs, this.#attempts, this.#budget);
    this.#underWay.add(deliver);
    try {
      const refusal = await deliver.run();
      if (refusal) refuse(request, response, refusal.status, refusal.error);
    } catch (error) {
      log("error", "request_fault", { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      response.destroy();
    } finally {
      this.#underWay.delete(deliver);
    }
  }

  #health(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(request, response.setHeader("allow", "GET, HEAD"), 405, "GET only");
    const reason = this.#unavailable();
    response.writeHead(reason === null ? 200 : 503, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: reason ?? "ok" }));
  }

  /** Why no mail is taken now; null: it is. */
  #unavailable(): string | null {
    if (this.#draining) return "draining";
    return this.#journal.well ? null : "the journal can't be written";
  }

  #authorized(request: IncomingMessage): boolean {
    const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    return presented !== undefined && timingSafeEqual(digest(presented), this.#tokenDigest);
  }
}

/** An error, and the rest of the body read and dropped for a while: closed at once, the client might never see the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error }));
  request.resume();
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once("close", () => clearTimeout(timer));
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
