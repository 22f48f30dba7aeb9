// A worker for tests of the intake: the routes of docs/gateway-protocol.md, answered as told, every
// request written down.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "token-for-tests";
export const GOOD_KEY = "ps_good";
export const EMAIL_ID = "email_01a1fb6c-943e-7e35-b378-f74400936f31";

export interface ReportedOutcome {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the answer. */
  readonly after?: number;
  /** The answer comes when this is settled. */
  readonly when?: Promise<unknown>;
  /** The connection ends without an answer, or in the middle of one. */
  readonly cut?: "before" | "inside";
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly client: string | undefined;
  readonly key: string | undefined;
  /** The report's envelope had no sender. */
  readonly isSenderNull: boolean;
  readonly body: Buffer;
  /** Of a submitted message: the frame's two parts. */
  readonly envelope: string;
  readonly message: string;
}

/**
 * Answers to come by route (`key`, `messages`, `return-paths`, `inbound`); where none is left, the
 * standard one.
 */
export type Answers = Partial<Record<string, ReportedOutcome[]>>;

const BUNDLES = "/gateway/message-bundles";
const ACCEPTED: ReportedOutcome = {
  status: 202,
  body: { id: EMAIL_ID, created_at: "2026-11-21T00:00:00.000Z" },
};

export class FakeWorker {
  readonly asked: Asked[] = [];
  answers: Answers = {};
  /** How many messages came in each bundle. */
  readonly bundles: number[] = [];
  /** False: a worker from before there were bundles. */
  knowsBundles = true;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get messages(): Asked[] {
    return this.asked.filter(({ path }) => path === "/gateway/messages");
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
    const told =
      request.url === BUNDLES && this.knowsBundles
        ? this.#judgeEach(request, body)
        : this.#judgeOne(request, body);
    await this.#tell(told, request, response);
  }

  async #tell(
    told: ReportedOutcome,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (told.after !== undefined) await new Promise((resolve) => setTimeout(resolve, told.after));
    await told.when;
    if (told.cut === "before") return void request.socket.destroy();
    const body = told.body === undefined ? "" : JSON.stringify(told.body);
    if (told.cut === "inside") {
      response.writeHead(told.status, { "content-length": body.length + 10 });
      response.write(body);
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    response.writeHead(told.status, { "x-request-id": "req_for-tests", ...told.headers }).end(body);
  }

  #judgeOne(request: IncomingMessage, body: Buffer, path = request.url ?? ""): ReportedOutcome {
    const asked = read(request, body, path);
    this.asked.push(asked);
    return this.#judge(request, asked);
  }

  /**
   * As if each frame had come alone. What cuts one answer cuts them all, and the slowest is waited
   * for.
   */
  #judgeEach(request: IncomingMessage, bundle: Buffer): ReportedOutcome {
    const each: ReportedOutcome[] = [];
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
    const cut = each.find((told) => told.cut)?.cut;
    const when = Promise.all(each.map((told) => told.when ?? Promise.resolve()));
    return {
      status: 200,
      body: { answers },
      after: Math.max(...each.map(({ after = 0 }) => after)),
      when,
      ...(cut && { cut }),
    };
  }

  #judge(request: IncomingMessage, { method, path, key }: Asked): ReportedOutcome {
    if (request.headers["x-gateway-token"] !== TOKEN) return { status: 404 };
    const route = path.split("/")[2] ?? "";
    const told = this.answers[route]?.shift();
    if (told) return told;
    if (method === "GET" && route === "key") return { status: key === GOOD_KEY ? 204 : 401 };
    if (route === "messages") return key === GOOD_KEY ? ACCEPTED : { status: 401 };
    if (route === "return-paths") return { status: 204 };
    return { status: route === "inbound" ? 202 : 404 };
  }
}

function read(request: IncomingMessage, body: Buffer, path: string): Asked {
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
