// A fake worker for tests of incoming mail: it serves the routes of docs/gateway-protocol.md with
// scripted answers and records every request.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "token-for-tests";
export const GOOD_KEY = "ps_good";
export const EMAIL_ID = "email_01a1fb6c-943e-7e35-b378-f74400936f31";

export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The delay before the answer, in milliseconds. */
  readonly after?: number;
  /** A promise. The worker waits for it before it answers. */
  readonly when?: Promise<unknown>;
  /** The worker closes the connection before the answer, or in the middle of it. */
  readonly cut?: "before" | "inside";
}

export interface WorkerRequest {
  readonly method: string;
  readonly path: string;
  readonly client: string | undefined;
  readonly key: string | undefined;
  /** True: the gateway says that the report came with a null sender. */
  readonly isSenderNull: boolean;
  readonly body: Buffer;
  /**
   * The envelope at the beginning of a submitted message's frame. `message`: the message after it.
   */
  readonly envelope: string;
  readonly message: string;
}

/**
 * The next answers by route (`key`, `messages`, `return-paths`, `inbound`). A route without an
 * entry gives its standard answer.
 */
export type Answers = Partial<Record<string, ScriptedAnswer[]>>;

const BUNDLES = "/gateway/message-bundles";
export const ACCEPTED = {
  status: 202,
  body: { id: EMAIL_ID, created_at: "2026-11-21T00:00:00.000Z" },
};

export class FakeWorker {
  readonly requests: WorkerRequest[] = [];
  answers: Answers = {};
  /** The number of messages in each bundle. */
  readonly bundles: number[] = [];
  /** False: the fake worker is an older version, which has no route for bundles of messages. */
  supportsBundles = true;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get messages(): WorkerRequest[] {
    return this.requests.filter(({ path }) => path === "/gateway/messages");
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const answer =
      request.url === BUNDLES && this.supportsBundles
        ? this.#judgeEach(request, body)
        : this.#judgeOne(request, body);
    await this.#send(answer, request, response);
  }

  async #send(
    answer: ScriptedAnswer,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (answer.after !== undefined)
      await new Promise((resolve) => setTimeout(resolve, answer.after));
    await answer.when;
    if (answer.cut === "before") return void request.socket.destroy();
    const body = answer.body === undefined ? "" : JSON.stringify(answer.body);
    if (answer.cut === "inside") {
      response.writeHead(answer.status, { "content-length": body.length + 10 });
      response.write(body);
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    response
      .writeHead(answer.status, { "x-request-id": "req_for-tests", ...answer.headers })
      .end(body);
  }

  #judgeOne(request: IncomingMessage, body: Buffer, path = request.url ?? ""): ScriptedAnswer {
    const received = readRequest(request, body, path);
    this.requests.push(received);
    return this.#judge(request, received);
  }

  /**
   * Answers each message of a bundle as if it came alone. If one answer is cut off, the whole
   * response is cut off. The slowest answer delays the whole response.
   */
  #judgeEach(request: IncomingMessage, bundle: Buffer): ScriptedAnswer {
    const each: ScriptedAnswer[] = [];
    for (let at = 0; at < bundle.length;) {
      const end = at + 4 + bundle.readUInt32BE(at);
      each.push(this.#judgeOne(request, bundle.subarray(at + 4, end), "/gateway/messages"));
      at = end;
    }
    this.bundles.push(each.length);
    const answers = each.map(({ status, body, headers = {} }) => ({
      status,
      retry_after: "retry-after" in headers,
      body,
    }));
    const cut = each.find((answer) => answer.cut)?.cut;
    const when = Promise.all(each.map((answer) => answer.when ?? Promise.resolve()));
    return {
      status: 200,
      body: { answers },
      after: Math.max(...each.map(({ after = 0 }) => after)),
      when,
      ...(cut && { cut }),
    };
  }

  #judge(request: IncomingMessage, { method, path, key }: WorkerRequest): ScriptedAnswer {
    // Cloudflare's Browser Integrity Check refuses a request without a user agent.
    if (!request.headers["user-agent"]) return { status: 403 };
    if (request.headers["x-gateway-token"] !== TOKEN) return { status: 404 };
    const route = path.split("/")[2] ?? "";
    const answer = this.answers[route]?.shift();
    if (answer) return answer;
    if (method === "GET" && route === "key") return { status: key === GOOD_KEY ? 204 : 401 };
    if (route === "messages") return key === GOOD_KEY ? ACCEPTED : { status: 401 };
    if (route === "return-paths") return { status: 204 };
    return { status: route === "inbound" ? 202 : 404 };
  }
}

function readRequest(request: IncomingMessage, body: Buffer, path: string): WorkerRequest {
  const { method = "", headers } = request;
  const framed = path === "/gateway/messages" && body.length >= 4;
  const at = framed ? 4 + body.readUInt32BE() : 0;
  return {
    method,
    path,
    client: headers["x-client-ip"] as string | undefined,
    key: /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1],
    isSenderNull: headers["x-null-sender"] === "true",
    body,
    envelope: framed ? body.toString("utf8", 4, at) : "",
    message: body.toString("latin1", at),
  };
}
