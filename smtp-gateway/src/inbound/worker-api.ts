// Asks the worker about incoming mail (docs/gateway-protocol.md): whether a key is good, whether an
// address is a return-path, and to take a message for either. It returns answers as they are, null
// where none came; replies.ts decides what they mean to an SMTP client.
import { Pool } from "undici";
import { exchange } from "./http-exchange.ts";
import { log } from "../gateway-log.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";

const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 10_000;
/** Longer than the worker's own health check takes, shorter than a prober waits for the gateway. */
const LINK_WITHIN_MS = 3_000;

/** The worker's answer to whether it knows this gateway. */
export type WorkerState = "agreed" | "refused" | "unwell" | "unreachable";

/** The worker's answer to one request; `body` is its JSON, undefined for a response without JSON. */
export interface WorkerAnswer {
  readonly status: number;
  /** True: the answer has a Retry-After header. */
  readonly retryAfter: boolean;
  readonly body: unknown;
  readonly requestId: string | null;
}

/** A mailbox of the service: the feedback loops', or postmaster's. */
export type MailboxRole = "fbl" | "postmaster";

interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The SMTP client's address; undefined: the question is the gateway's own. */
  readonly client?: string | undefined;
  /** True: a report's sender is `<>`. */
  readonly isSenderNull?: boolean;
  /** An API key. */
  readonly key?: string;
  readonly body?: Buffer;
  /** Milliseconds until the question is given up, connecting included. */
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

/** Statuses that judge the key or the address, and so apply to each message of a bundle. */
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 429]);

export class WorkerApi {
  readonly #pool: Pool;
  readonly #token: string;
  readonly #metrics: GatewayMetrics;

  /**
   * `origin` is scheme, host and port. `withinMs` bounds an answer's head and each pause in its
   * body.
   */
  constructor(
    origin: string,
    token: string,
    withinMs = ANSWER_WITHIN_MS,
    metrics = new GatewayMetrics(),
  ) {
    // Connections have no cap: sessions are capped already, and a request that waits for a
    // connection could outlast its client.
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
   * Checks that the worker answers and knows this gateway's token. A question without a key is
   * answered 401 to a gateway, and 404 to any other client.
   */
  async checkLink(): Promise<WorkerState> {
    const answer = await this.#ask({
      method: "GET",
      path: "/gateway/key",
      withinMs: LINK_WITHIN_MS,
    });
    if (!answer) return "unreachable";
    if (answer.status === 404) return "refused";
    return answer.status >= 500 ? "unwell" : "agreed";
  }

  /** Asks whether an API key is good from a client's address. */
  judgeKey(key: string, client: string): Promise<WorkerAnswer | null> {
    return this.#ask({ method: "GET", path: "/gateway/key", client, key });
  }

  /** Submits one message. `frame` is the envelope and the message, as the protocol frames them. */
  submit(key: string, client: string, frame: Buffer): Promise<WorkerAnswer | null> {
    return this.#ask({ method: "POST", path: "/gateway/messages", client, key, body: frame });
  }

  /**
   * Submits several frames of one key and address in one request; resolves with an answer to each.
   * "unsupported": the worker has no bundle route, and took none of these.
   */
  async submitTogether(
    key: string,
    client: string,
    frames: readonly Buffer[],
  ): Promise<readonly (WorkerAnswer | null)[] | "unsupported"> {
    const body = Buffer.concat(frames.flatMap((frame) => [lengthPrefix(frame), frame]));
    const answer = await this.#ask({
      method: "POST",
      path: "/gateway/message-bundles",
      client,
      key,
      body,
    });
    if (answer?.status === 200) {
      const { answers = [] } = (answer.body ?? {}) as BundleAnswers;
      // A frame without an answer gets none: asking again could store it twice.
      return frames.map((_, index) => answerOf(answers[index], answer));
    }
    return !answer || KEY_STATUSES.has(answer.status) || answer.status >= 500
      ? frames.map(() => answer)
      : "unsupported";
  }

  /** Asks whether a return-path's token is genuine. */
  judgeReturnPath(token: string, client: string): Promise<WorkerAnswer | null> {
    return this.#ask({ method: "POST", path: `/gateway/return-paths/${token}`, client });
  }

  /** Hands on a report for a return-path. `isSenderNull`: its sender is `<>`. */
  sendReport(
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

  /** Asks whether a mailbox of the service is at `host`, the domain of a mail address. */
  judgeRole(role: MailboxRole, host: string, client: string): Promise<WorkerAnswer | null> {
    return this.#ask({
      method: "POST",
      path: `/gateway/roles/${role}/${encodeURIComponent(host)}`,
      client,
    });
  }

  /** Hands on a message for a mailbox of the service. */
  sendToRole(role: MailboxRole, client: string, message: Buffer): Promise<WorkerAnswer | null> {
    return this.#ask({
      method: "POST",
      path: role === "fbl" ? "/gateway/feedback" : "/gateway/postmaster",
      client,
      body: message,
    });
  }

  /** Ends every connection; questions under way get no answer. */
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
        headers: responseHeaders,
        text,
      } = await exchange(this.#pool, { method, path, headers, body: body ?? null }, withinMs);
      const requestId = responseHeaders["x-request-id"];
      return {
        status,
        retryAfter: responseHeaders["retry-after"] !== undefined,
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

/** The length of `bytes` in the four bytes that precede them in a frame or a bundle. */
export function lengthPrefix(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}

/**
 * The route's name for metrics and logs, without the token that a path may hold. A question of the
 * gateway's own is `link`.
 */
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
