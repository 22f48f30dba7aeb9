// A fake of a gateway's egress (docs/egress-protocol.md), with mail servers whose replies a test
// chooses. The fake replaces globalThis.fetch of the isolate, and remembers the copies that it was
// given.
import { Buffer } from "node:buffer";
import { vi } from "vitest";

export interface Carried {
  readonly key: string;
  readonly mail_from: string;
  readonly rcpt_to: string;
  readonly pool: string | null;
  readonly team: string | null;
  readonly priority?: "high";
  readonly waited_ms?: number;
  /** The message, one character per octet. */
  readonly message: string;
}

type Answer = Record<string, unknown>;

export const DELIVERED: Answer = {
  kind: "reply",
  code: 250,
  enhanced: "2.0.0",
  text: "queued",
  stage: "end",
  mx_host: "mx.example.net",
  tls: null,
};

/** The gateway's answer when the mail server has not replied before the courier stops waiting. */
export const UNDER_WAY: Answer = { kind: "under_way" };

export const EGRESS_URL = "http://egress.test/deliver";
const ASK_URL = "http://egress.test/ask";

export class FakeEgress {
  readonly carried: Carried[] = [];
  /** False: connections to the gateway are refused. */
  up = true;
  /** The gateway reads all copies of a request, but answers only when this promise resolves. */
  answersAfter: Promise<void> = Promise.resolve();
  /** The gateway reads the copies of a request only when this promise resolves. */
  readsAfter: Promise<void> = Promise.resolve();
  /** The gateway answers questions only when this promise resolves. */
  asksAfter: Promise<void> = Promise.resolve();
  /** The keys of copies for whose outcomes the worker asked, by POST /ask. */
  readonly asked: string[] = [];
  /** Maps the key of each copy that the gateway has to the copy's recipient. */
  readonly #known = new Map<string, string>();
  #replies = new Map<string, Answer[]>();

  constructor() {
    const real = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      const request = new Request(input, init);
      if (request.url === ASK_URL) return this.#ask(request);
      return request.url === EGRESS_URL ? this.#deliver(request) : real(request);
    });
  }

  /**
   * Sets the replies of the recipient's mail server, one for each attempt or question. The last one
   * is repeated. Other recipients' servers accept.
   */
  replies(recipient: string, ...answers: Answer[]): void {
    this.#replies.set(recipient, answers);
  }

  to(recipient: string): Carried[] {
    return this.carried.filter(({ rcpt_to: address }) => address === recipient);
  }

  async #deliver(request: Request): Promise<Response> {
    if (!this.up) throw new Error("connection refused");
    if (request.headers.get("Authorization") !== "Bearer gateway-token-for-tests")
      return new Response(null, { status: 401 });
    await this.readsAfter;
    return answerEach(request, this.answersAfter, (frame) => {
      this.carried.push(frame);
      const answer = this.#answerTo(frame.rcpt_to);
      if (answer["kind"] !== "not_taken") this.#known.set(frame.key, frame.rcpt_to);
      return answer;
    });
  }

  async #ask(request: Request): Promise<Response> {
    if (!this.up) throw new Error("connection refused");
    const { keys } = await request.json<{ keys: string[] }>();
    this.asked.push(...keys);
    await this.asksAfter;
    const lines = keys.map((key) => {
      const recipient = this.#known.get(key);
      const answer = recipient === undefined ? { kind: "never_heard" } : this.#answerTo(recipient);
      return `${JSON.stringify({ key, ...answer })}\n`;
    });
    return new Response(lines.join(""), { headers: { "Content-Type": "application/x-ndjson" } });
  }

  #answerTo(recipient: string): Answer {
    const answers = this.#replies.get(recipient);
    return (answers && answers.length > 1 ? answers.shift() : answers?.[0]) ?? DELIVERED;
  }
}

/** A gateway whose mail servers accept everything. */
export function deliverAll(request: Request): Promise<Response> {
  return answerEach(request, Promise.resolve(), () => DELIVERED);
}

async function answerEach(
  request: Request,
  answersAfter: Promise<void>,
  answerTo: (frame: Carried) => Answer,
): Promise<Response> {
  const frames = framesIn(new Uint8Array(await request.arrayBuffer()));
  await answersAfter;
  const lines = frames.map(
    (frame) => `${JSON.stringify({ key: frame.key, ...answerTo(frame) })}\n`,
  );
  return new Response(lines.join(""), { headers: { "Content-Type": "application/x-ndjson" } });
}

/** Returns the frames of a request to the gateway: one for each copy. */
export function framesIn(body: Uint8Array): Carried[] {
  const found: Carried[] = [];
  for (let at = 0; at < body.length;) {
    const size = new DataView(body.buffer, body.byteOffset + at).getUint32(0);
    const head = JSON.parse(
      new TextDecoder().decode(body.subarray(at + 4, at + 4 + size)),
    ) as Carried & { size: number };
    at += 4 + size;
    found.push({
      ...head,
      message: Buffer.from(body.subarray(at, at + head.size)).toString("latin1"),
    });
    at += head.size;
  }
  return found;
}
