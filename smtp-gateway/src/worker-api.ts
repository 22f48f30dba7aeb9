// What the gateway asks the worker when mail comes in (docs/gateway-protocol.md): is a key good, take this message, is this a return-path, take what
// arrived there. It reports answers as they are, null where none came; what they mean to an SMTP client is decided in reply.ts.
import { Pool } from "undici";
import { log } from "./log.ts";
import type { Answer } from "./reply.ts";

const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 10_000;

interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The SMTP client's address. */
  readonly client: string;
  /** An API key. */
  readonly key?: string;
  readonly body?: Buffer;
}

export class WorkerApi {
  readonly #pool: Pool;
  readonly #token: string;

  /** `origin`: scheme, host and port. `withinMs`: how long an answer, and each part of it, may take. */
  constructor(origin: string, token: string, withinMs = ANSWER_WITHIN_MS) {
    // No cap on connections: sessions are capped, and a request that waits for a connection could outlast its client.
    const timeouts = { headersTimeout: withinMs, bodyTimeout: withinMs, connect: { timeout: CONNECT_WITHIN_MS } };
    this.#pool = new Pool(origin, timeouts);
    this.#token = token;
  }

  judgeKey(key: string, client: string): Promise<Answer | null> {
    return this.#ask({ method: "GET", path: "/gateway/key", client, key });
  }

  /** `frame`: the envelope and the message, as the protocol lays them out. */
  submit(key: string, client: string, frame: Buffer): Promise<Answer | null> {
    return this.#ask({ method: "POST", path: "/gateway/messages", client, key, body: frame });
  }

  judgeReturnPath(token: string, client: string): Promise<Answer | null> {
    return this.#ask({ method: "POST", path: `/gateway/return-paths/${token}`, client });
  }

  report(token: string, client: string, message: Buffer): Promise<Answer | null> {
    return this.#ask({ method: "POST", path: `/gateway/inbound/${token}`, client, body: message });
  }

  /** Ends every connection; what is still asked gets no answer. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #ask({ method, path, client, key, body }: Question): Promise<Answer | null> {
    const headers: Record<string, string> = { "x-gateway-token": this.#token, "x-client-ip": client };
    if (key !== undefined) headers["authorization"] = `Bearer ${key}`;
    if (body) headers["content-type"] = "application/octet-stream";
    try {
      const response = await this.#pool.request({ method, path, headers, body: body ?? null });
      const text = await response.body.text();
      const requestId = response.headers["x-request-id"];
      return {
        status: response.statusCode,
        retryAfter: response.headers["retry-after"] !== undefined,
        body: parse(text),
        requestId: typeof requestId === "string" ? requestId : null,
      };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      log("warning", "worker_unreachable", { route: path.split("/", 3).join("/"), code: String(code ?? error) });
      return null;
    }
  }
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
