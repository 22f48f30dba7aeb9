// What the gateway asks the worker when mail comes in (docs/gateway-protocol.md): is a key good,
// take this message, is this a return-path, take what arrived there. It reports answers as they
// are, null where none came; what they mean to an SMTP client is decided in replies.ts.
import { Pool } from "undici";
import { exchange } from "./http-exchange.ts";
import { log } from "./gateway-log.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";
import type { WorkerAnswer } from "./inbound/replies.ts";

const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 10_000;
/**
 * Longer than the worker's own health check takes, shorter than whoever waits for the gateway's.
 */
const LINK_WITHIN_MS = 3_000;

/** What the worker says to a gateway that asks whether they belong together. */
export type WorkerState = "agreed" | "refused" | "unwell" | "unreachable";

/** A mailbox of the service's own: the feedback loops', or postmaster's. */
export type MailboxRole = "fbl" | "postmaster";

interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The SMTP client's address; undefined: the gateway asks for itself. */
  readonly client?: string | undefined;
  /** Of a report. */
  readonly isSenderNull?: boolean;
  /** An API key. */
  readonly key?: string;
  readonly body?: Buffer;
  /** Given up then, connecting included. */
  readonly withinMs?: number;
}

interface OneAnswer {
  readonly status: number;
  readonly retry_after: boolean;
  readonly body: unknown;
}

interface BundleAnswers {
  readonly answers?: readonly OneAnswer[];
}

/** Statuses that say something of the key or the address, and so of each message. */
const OF_THE_KEY: ReadonlySet<number> = new Set([401, 402, 403, 429]);

export class WorkerApi {
  readonly #pool: Pool;
  readonly #token: string;
  readonly #metrics: GatewayMetrics;

  /**
   * `origin`: scheme, host and port. `withinMs`: how long an answer, and each part of it, may take.
   */
  constructor(
    origin: string,
    token: string,
    withinMs = ANSWER_WITHIN_MS,
    metrics = new GatewayMetrics(),
  ) {
    // No cap on connections: sessions are capped, and a request that waits for a connection could
    // outlast its client.
    const timeouts = {
      headersTimeout: withinMs,
      bodyTimeout: withinMs,
      connect: { timeout: CONNECT_WITHIN_MS },
    };
    this.#pool = new Pool(origin, timeouts);
    this.#token = token;
    this.#metrics = metrics;
  }

  /**
   * Whether it answers, and knows the token: a question about no key is a 401 to the gateway, and a
   * 404 to anybody else.
   */
  async askLink(): Promise<WorkerState> {
    const answer = await this.#ask({
      method: "GET",
      path: "/gateway/key",
      withinMs: LINK_WITHIN_MS,
    });
    if (!answer) return "unreachable";
    if (answer.status === 404) return "refused";
    return answer.status >= 500 ? "unwell" : "agreed";
  }

  judgeKey(key: string, client: string): Promise<WorkerAnswer | null> {
    return this.#ask({ method: "GET", path: "/gateway/key", client, key });
  }

  /** `frame`: the envelope and the message, as the protocol lays them out. */
  submit(key: string, client: string, frame: Buffer): Promise<WorkerAnswer | null> {
    return this.#ask({ method: "POST", path: "/gateway/messages", client, key, body: frame });
  }

  /**
   * Several frames by one key from one address, in one request: an answer to each. "unknown": the
   * worker takes none together, and has taken none of these.
   */
  async submitTogether(
    key: string,
    client: string,
    frames: readonly Buffer[],
  ): Promise<readonly (WorkerAnswer | null)[] | "unknown"> {
    const body = Buffer.concat(frames.flatMap((frame) => [lengthOf(frame), frame]));
    const answer = await this.#ask({
      method: "POST",
      path: "/gateway/message-bundles",
      client,
      key,
      body,
    });
    if (answer?.status === 200) {
      const { answers = [] } = (answer.body ?? {}) as BundleAnswers;
      // Cut short it answers for none, and to ask again would store twice what is stored.
      return frames.map((_, index) => answerOf(answers[index], answer));
    }
    return !answer || OF_THE_KEY.has(answer.status) || answer.status >= 500
      ? frames.map(() => answer)
      : "unknown";
  }

  judgeReturnPath(token: string, client: string): Promise<WorkerAnswer | null> {
    return this.#ask({ method: "POST", path: `/gateway/return-paths/${token}`, client });
  }

  /** `isSenderNull`: it came from `<>`. */
  report(
    token: string,
    client: string,
    message: Buffer,
    isSenderNull: boolean,
  ): Promise<WorkerAnswer | null> {
    return this.#ask({
      method: "POST",
      path: `/gateway/inbound/${token}`,
      client,
      body: message,
      isSenderNull,
    });
  }

  /** `host`: of a mail address. */
  judgeRole(role: MailboxRole, host: string, client: string): Promise<WorkerAnswer | null> {
    return this.#ask({
      method: "POST",
      path: `/gateway/roles/${role}/${encodeURIComponent(host)}`,
      client,
    });
  }

  toRole(role: MailboxRole, client: string, message: Buffer): Promise<WorkerAnswer | null> {
    return this.#ask({
      method: "POST",
      path: role === "fbl" ? "/gateway/feedback" : "/gateway/postmaster",
      client,
      body: message,
    });
  }

  /** Ends every connection; what is still asked gets no answer. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #ask(question: Question): Promise<WorkerAnswer | null> {
    const started = performance.now();
    const answer = await this.#request(question);
    this.#metrics.observe("postern_gateway_worker_seconds", (performance.now() - started) / 1000);
    this.#metrics.count("postern_gateway_worker_answers_total", [
      routeOf(question),
      answer?.status ?? "none",
    ]);
    return answer;
  }

  async #request(question: Question): Promise<WorkerAnswer | null> {
    const { method, path, client, key, body, isSenderNull = false, withinMs } = question;
    const headers: Record<string, string> = { "x-gateway-token": this.#token };
    if (client !== undefined) headers["x-client-ip"] = client;
    if (key !== undefined) headers["authorization"] = `Bearer ${key}`;
    if (isSenderNull) headers["x-null-sender"] = "true";
    if (body) headers["content-type"] = "application/octet-stream";
    try {
      const {
        status,
        headers: told,
        text,
      } = await exchange(this.#pool, { method, path, headers, body: body ?? null }, withinMs);
      const requestId = told["x-request-id"];
      return {
        status,
        retryAfter: told["retry-after"] !== undefined,
        body: parse(text),
        requestId: typeof requestId === "string" ? requestId : null,
      };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      log("warning", "worker_unreachable", {
        route: routeOf(question),
        code: String(code ?? error),
      });
      return null;
    }
  }
}

function answerOf(one: OneAnswer | undefined, { requestId }: WorkerAnswer): WorkerAnswer | null {
  return one
    ? { status: one.status, retryAfter: one.retry_after, body: one.body, requestId }
    : null;
}

/** The four bytes that stand before something in a frame or a bundle. */
export function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}

/** Without the token that may stand in it. A question about the link is none about a key. */
function routeOf({ path, client }: Question): string {
  return client === undefined ? "link" : (path.split("/", 3)[2] ?? "");
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
