// The gateway over HTTP (docs/egress-protocol.md): POST /deliver takes frames and streams outcomes
// back, /healthz and /readyz tell how it is, /metrics how much it does. A message is on its way as
// soon as its frame is complete; a client that leaves changes nothing about it.
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Attempts } from "./attempts.ts";
import { ByteBudget } from "../byte-budget.ts";
import { DeliverRequest } from "./deliver-request.ts";
import type { Health } from "../gateway-health.ts";
import { log } from "../gateway-log.ts";
import { EXPOSITION_TYPE, type GatewayMetrics } from "../gateway-metrics.ts";

const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 75_000;
const LINGER_MS = 5_000;
const CLOSE_IDLE_EVERY_MS = 50;

export interface EgressOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly token: string;
  /** Opens /metrics beside `token`, and nothing else; null: there is none. */
  readonly metricsToken: string | null;
  /** Bytes of messages in memory, over all requests. */
  readonly bytesInFlight: number;
  /** How long a client may pause inside a body, in milliseconds. */
  readonly stallMs: number;
}

/** What stands behind the paths. */
export interface EgressDoors {
  readonly attempts: Attempts;
  readonly health: Health;
  readonly metrics: GatewayMetrics;
}

export class Egress {
  readonly #options: EgressOptions;
  readonly #doors: EgressDoors;
  readonly #budget: ByteBudget;
  readonly #server: Server;
  readonly #underWay = new Set<DeliverRequest>();
  #draining = false;

  constructor(options: EgressOptions, doors: EgressDoors) {
    this.#options = options;
    this.#doors = doors;
    this.#budget = new ByteBudget(options.bytesInFlight);
    // A body may take as long as deliveries do: what bounds it is the pause between two chunks.
    this.#server = createServer(
      { requestTimeout: 0, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
      (request, response) => {
        this.#route(request, response);
      },
    );
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Of messages on their way out. */
  get bytesInFlight(): number {
    return this.#budget.taken;
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
    if (path === "/healthz" || path === "/readyz" || path === "/metrics")
      return this.#show(path, request, response);
    if (path !== "/deliver") return refuse(request, response, 404, "no such path");
    if (request.method !== "POST")
      return refuse(request, response.setHeader("allow", "POST"), 405, "POST only");
    if (!shows(request, this.#options.token)) return refuseToken(request, response);
    if (this.#draining) return refuse(request, response, 503, "draining");
    void this.#deliver(request, response);
  }

  async #deliver(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const deliver = new DeliverRequest(
      request,
      response,
      this.#options.stallMs,
      this.#doors.attempts,
      this.#budget,
    );
    this.#underWay.add(deliver);
    try {
      const refusal = await deliver.run();
      if (refusal) refuse(request, response, refusal.status, refusal.error);
    } catch (error) {
      log("error", "request_fault", {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      response.destroy();
    } finally {
      this.#underWay.delete(deliver);
    }
  }

  #show(
    path: "/healthz" | "/readyz" | "/metrics",
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(request, response.setHeader("allow", "GET, HEAD"), 405, "GET only");
    if (path !== "/metrics") return void this.#health(path === "/readyz", response);
    const { token, metricsToken } = this.#options;
    if (!shows(request, token) && !(metricsToken !== null && shows(request, metricsToken)))
      return refuseToken(request, response);
    response.writeHead(200, { "content-type": EXPOSITION_TYPE, "cache-control": "no-store" });
    response.end(this.#doors.metrics.exposition());
  }

  /** `ready`: a gateway that can do only half of its work counts as out of order. */
  async #health(ready: boolean, response: ServerResponse): Promise<void> {
    const report = await this.#doors.health.report();
    const isWell = report.status === "ok" || (!ready && report.status === "degraded");
    response.writeHead(isWell ? 200 : 503, {
      "content-type": "application/json",
      "cache-control": "no-store",
    });
    response.end(JSON.stringify(report));
  }
}

/** Compares digests, so that neither content nor length shows in the time. */
function shows(request: IncomingMessage, token: string): boolean {
  const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return presented !== undefined && timingSafeEqual(digest(presented), digest(token));
}

function refuseToken(request: IncomingMessage, response: ServerResponse): void {
  refuse(request, response.setHeader("www-authenticate", "Bearer"), 401, "wrong token");
}

/**
 * An error, and the rest of the body read and dropped for a while: closed at once, the client might
 * never see the answer.
 */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: string,
): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error }));
  request.resume();
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once("close", () => clearTimeout(timer));
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
