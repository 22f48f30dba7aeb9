// Serves one POST /deliver (docs/egress-protocol.md): starts each message when its frame is
// complete, writes each outcome when it is known, and reads no faster than there is room. A
// delivery that has started goes on even if the client leaves.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Attempts } from "./attempts.ts";
import type { ByteBudget } from "./byte-budget.ts";
import type { Slot } from "../journal/journal.ts";
import { type FrameHead, readFrames, UnreadableFrame } from "./frames.ts";
import type { EgressOutcome } from "../outcome.ts";

/** Memory that a message takes beside its bytes. */
const MESSAGE_OVERHEAD_BYTES = 4096;
/** Most bytes of outcomes that the client may leave unread before we stop reading its body. */
const UNREAD_LINES_MAX_BYTES = 1024 * 1024;

/** The end of reading a body. */
type ReadEnd = "whole" | "left" | "cut off" | UnreadableFrame;

export class DeliverRequest {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #body: RequestBody;
  readonly #attempts: Attempts;
  readonly #budget: ByteBudget;
  readonly #answered: Promise<void>[] = [];
  /** Bytes of the budget that the frame being read holds. */
  #held = 0;
  /** Room in the journal for the outcome of the frame being read. */
  #slot: Slot | null = null;
  /** True: a frame was skipped because the journal had no room for its outcome. */
  #lacksRoom = false;
  /** The outcome of an earlier attempt with the key of the frame being read, which is skipped. */
  #joined: Promise<EgressOutcome> | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    stallMs: number,
    attempts: Attempts,
    budget: ByteBudget,
  ) {
    this.#request = request;
    this.#response = response;
    this.#body = new RequestBody(request, stallMs);
    this.#attempts = attempts;
    this.#budget = budget;
    // Reading notices a client that leaves, which is not an error.
    response.on("error", () => {});
  }

  /** Resolves with null when everything is answered, or with the refusal that is to be sent. */
  async run(): Promise<{ status: number; error: string } | null> {
    const end = await this.#read();
    if (end === "left") return null;
    this.#body.stop();
    if (end instanceof UnreadableFrame && !this.#response.headersSent)
      return { status: 400, error: end.message };
    if (this.#answered.length === 0 && (end === "cut off" || this.#lacksRoom))
      return { status: 503, error: end === "cut off" ? "draining" : "the journal has no room" };
    this.#writeHead();
    await Promise.all(this.#answered);
    // The 200 was sent long ago, so frames that were not read simply get no result line.
    this.#response.end(() => {
      if (end !== "whole") this.#request.destroy();
    });
    return null;
  }

  /** Stops reading, because the gateway drains. */
  cutOff(): void {
    this.#body.cutOff();
  }

  async #read(): Promise<ReadEnd> {
    try {
      for await (const { head, bytes } of readFrames(this.#body, (next) => this.#admit(next))) {
        if (bytes) this.#start(head, bytes);
        else if (this.#joined) this.#answer(head.key, this.#joined);
      }
      return this.#body.cut ?? "whole";
    } catch (error) {
      if (!(error instanceof UnreadableFrame)) throw error;
      return this.#body.cut ?? error;
    } finally {
      this.#budget.release(this.#held);
      this.#slot?.release();
    }
  }

  async #admit(head: FrameHead): Promise<"read" | "skip"> {
    const response = this.#response;
    if (response.writableLength > UNREAD_LINES_MAX_BYTES)
      await Promise.race([once(response, "drain"), once(response, "close")]);
    this.#joined = this.#attempts.find(head.key) ?? null;
    if (this.#joined) return "skip";
    await this.#budget.take(head.size + MESSAGE_OVERHEAD_BYTES);
    this.#held = head.size + MESSAGE_OVERHEAD_BYTES;
    this.#slot = this.#attempts.reserve(head.key);
    if (this.#slot) return "read";
    // Reading goes on: the outcomes of some later frames may be known.
    this.#lacksRoom = true;
    this.#budget.release(this.#held);
    this.#held = 0;
    return "skip";
  }

  #start(head: FrameHead, bytes: Buffer): void {
    const [held, slot] = [this.#held, this.#slot!];
    this.#held = 0;
    this.#slot = null;
    const mail = {
      key: head.key,
      mailFrom: head.mail_from,
      rcptTo: head.rcpt_to,
      pool: head.pool,
      bytes,
    };
    const outcome = this.#attempts.start(mail, slot);
    void outcome.then(() => this.#budget.release(held));
    this.#answer(head.key, outcome);
  }

  #answer(key: string, outcome: Promise<EgressOutcome>): void {
    const answered = async (): Promise<void> => {
      const line = `${JSON.stringify({ key, ...(await outcome) })}\n`;
      if (this.#response.destroyed || this.#response.writableEnded) return;
      this.#writeHead();
      this.#response.write(line);
    };
    this.#answered.push(answered());
  }

  /**
   * Sends the head of the 200, with the first line or when the body has been read. Before, an
   * unreadable frame can still be refused by a 400.
   */
  #writeHead(): void {
    if (this.#response.headersSent || this.#response.writableEnded || this.#response.destroyed)
      return;
    this.#response.writeHead(200, { "content-type": "application/x-ndjson" });
    this.#response.flushHeaders();
  }
}

/** A request's body. It ends early when the client leaves or pauses too long, or at cutOff(). */
class RequestBody implements AsyncIterator<Buffer> {
  /** Why the body ended early. */
  cut: "left" | "cut off" | null = null;
  readonly #request: IncomingMessage;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #stallMs: number;
  #endNext: ((end: null) => void) | null = null;

  constructor(request: IncomingMessage, stallMs: number) {
    this.#request = request;
    this.#chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    this.#stallMs = stallMs;
  }

  cutOff(): void {
    this.cut ??= "cut off";
    this.#endNext?.(null);
  }

  /** Releases the request, so that the rest of it can be dropped. */
  stop(): void {
    void this.#chunks.return?.();
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const { promise, resolve } = Promise.withResolvers<IteratorResult<Buffer> | null>();
    this.#endNext = resolve;
    if (this.cut !== null) resolve(null);
    const timer = setTimeout(() => this.#request.destroy(), this.#stallMs);
    this.#chunks.next().then(resolve, () => {
      this.cut ??= "left";
      resolve(null);
    });
    const next = await promise;
    clearTimeout(timer);
    return next ?? { done: true, value: undefined };
  }
}
