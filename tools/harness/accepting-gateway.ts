// A gateway that accepts every copy and stores none. It answers each frame of
// docs/egress-protocol.md as soon as the frame is complete. It answers a question about a copy by
// saying that the key is unknown.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { Cleanup } from "./cleanup.ts";
import { listenOnLoopback } from "./loopback.ts";

export interface TakenCopy {
  readonly rcpt_to: string;
  readonly size: number;
}

const KEEP_ALIVE_MS = 10 * 60_000;

/**
 * Starts the gateway and returns its URL. The gateway breaks the connection of a copy for which
 * `isWanted` is false.
 */
export async function startAcceptingGateway(
  cleanup: Cleanup,
  isWanted: (copy: TakenCopy) => boolean = () => true,
): Promise<string> {
  // The worker uses its connections more than once. If this gateway closed an idle connection just
  // when the worker uses it, a request would be lost. So idle connections stay open for a long
  // time.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    if (request.url === "/ask") return void answerAsk(request, response);
    const frames = new Frames(({ key, ...copy }) => {
      if (!isWanted(copy)) return void request.destroy();
      const reply = {
        kind: "reply",
        key,
        code: 250,
        enhanced: "2.0.0",
        text: "queued",
        stage: "end",
        mx_host: "mx.example.net",
        tls: null,
      };
      response.write(`${JSON.stringify(reply)}\n`);
    });
    request.on("data", (chunk: Buffer) => frames.take(chunk));
    request.on("end", () => response.end());
    request.on("error", () => response.destroy());
  });
  const port = await listenOnLoopback(server);
  cleanup.add(() => server.closeAllConnections());
  cleanup.add(() => server.close());
  return `http://127.0.0.1:${port}`;
}

async function answerAsk(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { keys } = (await json(request)) as { keys: readonly string[] };
  response.end(keys.map((key) => `${JSON.stringify({ key, kind: "never_heard" })}\n`).join(""));
}

/** Reads frames, but does not store the messages. */
class Frames {
  readonly #taken: (head: TakenCopy & { readonly key: string }) => void;
  #rest: Buffer = Buffer.alloc(0);
  #head: (TakenCopy & { readonly key: string }) | null = null;
  #left = 0;

  constructor(taken: (head: TakenCopy & { readonly key: string }) => void) {
    this.#taken = taken;
  }

  take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const skipped = Math.min(this.#left, this.#rest.length);
      this.#left -= skipped;
      this.#rest = this.#rest.subarray(skipped);
      if (this.#left > 0) return;
      if (this.#head) this.#taken(this.#head);
      this.#head = null;
      const length = this.#rest.length < 4 ? Number.POSITIVE_INFINITY : this.#rest.readUInt32BE(0);
      if (this.#rest.length < 4 + length) return;
      const head = JSON.parse(this.#rest.subarray(4, 4 + length).toString()) as TakenCopy & {
        key: string;
      };
      this.#head = { key: head.key, rcpt_to: head.rcpt_to, size: head.size };
      this.#left = head.size;
      this.#rest = this.#rest.subarray(4 + length);
    }
  }
}
