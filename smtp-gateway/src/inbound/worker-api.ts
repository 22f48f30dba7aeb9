// Makes the gateway's requests to the worker about incoming mail (docs/gateway-protocol.md). The
// requests ask about a key or a return-path, or pass messages on. The methods return the worker's
// answers unchanged, or null if no answer came. replies.ts turns the answers into SMTP replies.
import type { Readable } from "node:stream";
import { Pool } from "undici";
import { exchange } from "./http-exchange.ts";
import { log } from "../gateway-log.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";

const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 10_000;
/**
 * Maximum number of milliseconds for the worker's answer about the token. The worker's own health
 * check takes less time, and health probes wait for the gateway longer.
 */
const LINK_WITHIN_MS = 3_000;

/** The state of the worker, by its answer to this gateway's token. */
export type WorkerState = "agreed" | "refused" | "unwell" | "unreachable";

/** The worker's answer to one request. `body` is the answer's JSON, or undefined if it has none. */
export interface WorkerResponse {
  readonly status: number;
  /** True: the answer has a Retry-After header. */
  readonly retryAfter: boolean;
  readonly body: unknown;
  readonly requestId: string | null;
}

/**
 * The role of a mailbox of the service: it receives feedback loops (`fbl`), or mail to postmaster.
 */
export type MailboxRole = "fbl" | "postmaster";

interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The IP address of the SMTP client. Absent: the gateway makes the request for itself. */
  readonly client?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable | undefined;
  /** Milliseconds that the request may take, including connecting. */
  readonly withinMs?: number;
}

/** A message for a reply address. */
export interface SpooledReply {
  readonly client: string;
  /** The mail address for which the message arrived. */
  readonly recipient: string;
  /** True: the sender is `<>`. */
  readonly isSenderNull: boolean;
  readonly message: Readable;
  readonly bytes: number;
  /** The verdicts about the sender, such as `spf=pass dkim=none`. */
  readonly verdicts: string | undefined;
}

interface OneAnswer {
  readonly status: number;
  readonly retry_after: boolean;
  readonly body: unknown;
}

/** Statuses about the key or the IP address. Such a status applies to every message of a bundle. */
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 429]);

export class WorkerApi {
  readonly #pool: Pool;
  readonly #token: string;
  readonly #metrics: GatewayMetrics;

  /**
   * `origin` is the worker's scheme, host and port. `withinMs` limits the wait for an answer's
   * head, and each pause in the answer's body.
   */
  constructor(
    origin: string,
    token: string,
    withinMs = ANSWER_WITHIN_MS,
    metrics = new GatewayMetrics(),
  ) {
    // The number of connections has no limit, because the number of sessions is limited already.
    // With a limit, a request might wait for a connection until its client has left.
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
   * Checks that the worker answers and accepts this gateway's token. The request has no key. The
   * worker answers it with 401 if the token is right, and with 404 if the token is wrong.
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

  /** Asks whether the worker accepts an API key from a client's IP address. */
  judgeKey(key: string, client: string): Promise<WorkerResponse | null> {
    return this.#ask({ method: "GET", path: "/gateway/key", client, headers: bearer(key) });
  }

  /** Submits one message. `frame` is the envelope and the message in the protocol's format. */
  submit(key: string, client: string, frame: Buffer): Promise<WorkerResponse | null> {
    return this.#post("/gateway/messages", client, frame, bearer(key));
  }

  /**
   * Submits several frames of one key and IP address in one request. Resolves with one answer for
   * each frame. "unsupported": the worker does not know such requests, and accepted no frame.
   */
  async submitTogether(
    key: string,
    client: string,
    frames: readonly Buffer[],
  ): Promise<readonly (WorkerResponse | null)[] | "unsupported"> {
    const body = Buffer.concat(frames.flatMap((frame) => [lengthPrefix(frame), frame]));
    const answer = await this.#post("/gateway/message-bundles", client, body, bearer(key));
    if (answer?.status === 200) {
      const { answers = [] } = (answer.body ?? {}) as { readonly answers?: readonly OneAnswer[] };
      // A frame without an answer is not sent again, because the worker may have stored its
      // message.
      return frames.map((_, index) => answerOf(answers[index], answer));
    }
    return !answer || KEY_STATUSES.has(answer.status) || answer.status >= 500
      ? frames.map(() => answer)
      : "unsupported";
  }

  /** Asks whether the worker issued a return-path's token. */
  judgeReturnPath(token: string, client: string): Promise<WorkerResponse | null> {
    return this.#post(`/gateway/return-paths/${token}`, client);
  }

  /** Passes a report for a return-path to the worker. `isSenderNull`: the sender is `<>`. */
  sendReport(
    token: string,
    client: string,
    message: Buffer,
    isSenderNull: boolean,
  ): Promise<WorkerResponse | null> {
    return this.#post(`/gateway/inbound/${token}`, client, message, senderHeaders(isSenderNull));
  }

  /** Asks whether the worker issued a reply address, and accepts mail for it now. */
  judgeReplyAddress(token: string, client: string): Promise<WorkerResponse | null> {
    return this.#post(`/gateway/reply-addresses/${token}`, client);
  }

  /** Passes a reply to the worker, which stores it before it answers. */
  sendReply(token: string, reply: SpooledReply): Promise<WorkerResponse | null> {
    const { client, recipient, isSenderNull, message, bytes, verdicts } = reply;
    return this.#post(`/gateway/replies/${token}`, client, message, {
      ...senderHeaders(isSenderNull),
      "content-length": String(bytes),
      "x-recipient": encodeURI(recipient),
      ...(verdicts !== undefined && { "x-verdicts": verdicts }),
    });
  }

  /** Asks whether the service has this mailbox at the mail domain `host`. */
  judgeRole(role: MailboxRole, host: string, client: string): Promise<WorkerResponse | null> {
    return this.#post(`/gateway/roles/${role}/${encodeURIComponent(host)}`, client);
  }

  /** Passes a message for a mailbox of the service to the worker. */
  sendToRole(role: MailboxRole, client: string, message: Buffer): Promise<WorkerResponse | null> {
    const path = role === "fbl" ? "/gateway/feedback" : "/gateway/postmaster";
    return this.#post(path, client, message);
  }

  /** Ends every connection. Running requests get no answer. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #post(
    path: string,
    client: string,
    body?: Buffer | Readable,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WorkerResponse | null> {
    return this.#ask({ method: "POST", path, client, body, headers });
  }

  async #ask(question: Question): Promise<WorkerResponse | null> {
    const started = performance.now();
    const answer = await this.#request(question);
    this.#metrics.observe("postern_gateway_worker_seconds", (performance.now() - started) / 1000);
    this.#metrics.count("postern_gateway_worker_answers_total", [
      routeOf(question),
      answer?.status ?? "none",
    ]);
    return answer;
  }

  async #request(question: Question): Promise<WorkerResponse | null> {
    const { method, path, client, body, withinMs } = question;
    // Cloudflare's Browser Integrity Check refuses requests without a user agent (error 1010).
    const headers: Record<string, string> = {
      "x-gateway-token": this.#token,
      "user-agent": "postern-gateway",
      ...question.headers,
    };
    if (client !== undefined) headers["x-client-ip"] = client;
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

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

function senderHeaders(isSenderNull: boolean): Readonly<Record<string, string>> {
  return isSenderNull ? { "x-null-sender": "true" } : {};
}

function answerOf(
  one: OneAnswer | undefined,
  { requestId }: WorkerResponse,
): WorkerResponse | null {
  return one
    ? { status: one.status, retryAfter: one.retry_after, body: one.body, requestId }
    : null;
}

/**
 * Returns the length of `bytes` as four bytes. In a frame or a bundle, the length precedes `bytes`.
 */
export function lengthPrefix(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}

/**
 * Returns the route's name for metrics and logs, without the token that the path contains. The
 * request that checks the token is called `link`.
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
