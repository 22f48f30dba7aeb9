// The gateway's HTTP server (docs/egress-protocol.md). POST /deliver receives messages and streams
// their outcomes back. POST /ask tells the outcomes of given keys. /healthz and /readyz report the
// health, and /metrics the metrics. /watch reports the result of the gateway's checks of itself,
// and the destinations with the most connections and waiting messages.
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { GatewaySettings } from "../config.ts";
import { serveQuestions } from "./ask-request.ts";
import type { Attempts } from "./attempts.ts";
import { ByteBudget } from "./byte-budget.ts";
import { DeliverRequest } from "./deliver-request.ts";
import type { Health } from "../gateway-health.ts";
import { log, stackOf } from "../gateway-log.ts";
import { EXPOSITION_TYPE, type GatewayMetrics } from "../gateway-metrics.ts";

const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 75_000;
const LINGER_MS = 5_000;
const CLOSE_IDLE_EVERY_MS = 50;

type EgressOptions = Pick<
  GatewaySettings,
  "host" | "port" | "token" | "metricsToken" | "bytesInFlight" | "stallMs"
>;

/** The parts of the gateway that answer the requests. */
interface EgressDependencies {
  readonly attempts: Attempts;
  readonly health: Health;
  readonly metrics: GatewayMetrics;
  /** The result of the gateway's last check of itself (GET /watch). */
  readonly watch: { readonly report: object };
  /** The destinations with the most connections and waiting messages (GET /watch). */
  readonly connections: { readonly mostUsed: readonly object[] };
}

interface Refusal {
  readonly status: number;
  readonly error: string;
}

export class Egress {
  readonly #options: EgressOptions;
  readonly #dependencies: EgressDependencies;
  readonly #budget: ByteBudget;
  readonly #server: Server;
  readonly #underWay = new Set<DeliverRequest>();
  #isDraining = false;

  constructor(options: EgressOptions, dependencies: EgressDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#budget = new ByteBudget(options.bytesInFlight);
    // A whole body may take any time, because deliveries may take long. Only a pause between two
    // chunks has a limit.
    this.#server = createServer(
      { requestTimeout: 0, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
      (request, response) => {
        this.#route(request, response);
      },
    );
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Bytes of messages that are being delivered. */
  get bytesInFlight(): number {
    return this.#budget.taken;
  }

  /** Resolves with the number of the port. Rejects with the error of listen(). */
  async listen(): Promise<number> {
    this.#server.listen(this.#options.port, this.#options.host);
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Refuses new deliveries with 503. Running deliveries still get answers for complete frames. POST
   * /ask is answered until close().
   */
  drain(): void {
    this.#isDraining = true;
    for (const deliver of this.#underWay) deliver.cutOff();
  }

  /**
   * Resolves when the last response has gone out. If `signal` aborts, all connections are closed at
   * once.
   */
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
    if (path === "/healthz" || path === "/readyz" || path === "/metrics" || path === "/watch")
      return this.#show(path, request, response);
    if (path !== "/deliver" && path !== "/ask")
      return refuse(
        request,
        response,
        404,
        "no such path: use POST /deliver or /ask, GET /healthz, /readyz, /metrics or /watch",
      );
    if (request.method !== "POST")
      return refuse(request, response.setHeader("allow", "POST"), 405, "use POST");
    if (!hasToken(request, this.#options.token)) return refuseToken(request, response);
    if (path === "/deliver" && this.#isDraining) return refuse(request, response, 503, "draining");
    void this.#serve(path, request, response);
  }

  async #deliver(request: IncomingMessage, response: ServerResponse): Promise<Refusal | null> {
    const deliver = new DeliverRequest(
      request,
      response,
      this.#options.stallMs,
      this.#dependencies.attempts,
      this.#budget,
    );
    this.#underWay.add(deliver);
    try {
      return await deliver.run();
    } finally {
      this.#underWay.delete(deliver);
    }
  }

  async #serve(
    path: "/deliver" | "/ask",
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { stallMs } = this.#options;
    const { attempts } = this.#dependencies;
    try {
      const refusal = await (path === "/ask"
        ? serveQuestions(request, response, stallMs, attempts)
        : this.#deliver(request, response));
      if (refusal) refuse(request, response, refusal.status, refusal.error);
    } catch (error) {
      log("error", "request_fault", { error: stackOf(error) });
      response.destroy();
    }
  }

  #show(
    path: "/healthz" | "/readyz" | "/metrics" | "/watch",
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(request, response.setHeader("allow", "GET, HEAD"), 405, "use GET or HEAD");
    if (path === "/watch") return this.#showWatch(request, response);
    if (path !== "/metrics") return void this.#showHealth(path === "/readyz", response);
    const { token, metricsToken } = this.#options;
    if (!hasToken(request, token) && !(metricsToken !== null && hasToken(request, metricsToken)))
      return refuseToken(request, response);
    response.writeHead(200, { "content-type": EXPOSITION_TYPE, "cache-control": "no-store" });
    response.end(this.#dependencies.metrics.exposition());
  }

  #showWatch(request: IncomingMessage, response: ServerResponse): void {
    if (!hasToken(request, this.#options.token)) return refuseToken(request, response);
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    const { watch, connections } = this.#dependencies;
    response.end(JSON.stringify({ ...watch.report, destinations: connections.mostUsed }));
  }

  /**
   * Answers /healthz and /readyz. `ready`: the request is for /readyz, where a degraded gateway
   * counts as not healthy.
   */
  async #showHealth(ready: boolean, response: ServerResponse): Promise<void> {
    const report = await this.#dependencies.health.report();
    const isWell = report.status === "ok" || (!ready && report.status === "degraded");
    response.writeHead(isWell ? 200 : 503, {
      "content-type": "application/json",
      "cache-control": "no-store",
    });
    response.end(JSON.stringify(report));
  }
}

/**
 * Compares the tokens' digests, so that the time of the comparison reveals nothing about the token.
 */
function hasToken(request: IncomingMessage, token: string): boolean {
  const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return presented !== undefined && timingSafeEqual(digest(presented), digest(token));
}

function refuseToken(request: IncomingMessage, response: ServerResponse): void {
  refuse(request, response.setHeader("www-authenticate", "Bearer"), 401, "wrong token");
}

/**
 * Answers with an error, and still reads the body for a while. If the connection closed at once,
 * the client might never read the answer.
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
