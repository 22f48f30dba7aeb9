// One POST /deliver: starts each message as its frame is complete, writes each outcome as it is
// known, and reads no faster than there is room. What it has started goes on whatever becomes of
// the client.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Attempts } from "./attempts.ts";
import type { ByteBudget } from "../byte-budget.ts";
import type { Slot } from "../journal/journal.ts";
import { type FrameHead, readFrames, UnreadableFrame } from "./frames.ts";
import type { EgressOutcome } from "./outcome.ts";

/** What a message costs in memory beside its bytes. */
const OVERHEAD_BYTES = 4096;
/** A client that reads no outcomes is read no further. */
const UNREAD_LINES_MAX_BYTES = 1024 * 1024;

/** How the reading of a body ended. */
type End = "whole" | "left" | "cut off" | UnreadableFrame;

export class DeliverRequest {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #body: PatientBody;
  readonly #attempts: Attempts;
  readonly #budget: ByteBudget;
  readonly #answered: Promise<void>[] = [];
  /** Bytes of the budget for the frame that is being read. */
  #held = 0;
  /** Room in the journal for the outcome of the frame that is being read. */
  #slot: Slot | null = null;
  /** A frame was dropped because the journal had no room for its outcome. */
  #lacksRoom = false;
  /** The attempt that made the frame being read superfluous. */
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
    this.#body = new PatientBody(request, stallMs);
    this.#attempts = attempts;
    this.#budget = budget;
    // A client that leaves is noticed by reading, and is no error.
    response.on("error", () => {});
  }

  /** Resolves when all is answered, or with the refusal that is still to be sent. */
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
    // With 200 long said, frames that were left unread are those without a line.
    this.#response.end(() => {
      if (end !== "whole") this.#request.destroy();
    });
    return null;
  }

  /** Reads no further: the gateway drains. */
  cutOff(): void {
    this.#body.cutOff();
  }

  async #read(): Promise<End> {
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
    await this.#budget.take(head.size + OVERHEAD_BYTES);
    this.#held = head.size + OVERHEAD_BYTES;
    this.#slot = this.#attempts.reserve(head.key);
    if (this.#slot) return "read";
    // The frames behind this one are read on: the outcomes of some may be known.
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
   * Goes out with the first line, or when the body has been read: until then a frame may turn out
   * unreadable.
   */
  #writeHead(): void {
    if (this.#response.headersSent || this.#response.writableEnded || this.#response.destroyed)
      return;
    this.#response.writeHead(200, { "content-type": "application/x-ndjson" });
    this.#response.flushHeaders();
  }
}

/**
 * A request's body, which ends early when the client leaves or pauses for too long, or when it is
 * cut off.
 */
class PatientBody implements AsyncIterator<Buffer> {
  /** Why it ended early. */
  cut: "left" | "cut off" | null = null;
  readonly #request: IncomingMessage;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #stallMs: number;
  #awaited: ((end: null) => void) | null = null;

  constructor(request: IncomingMessage, stallMs: number) {
    this.#request = request;
    this.#chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    this.#stallMs = stallMs;
  }

  cutOff(): void {
    this.cut ??= "cut off";
    this.#awaited?.(null);
  }

  /** Lets go of the request, so that the rest of it can be dropped. */
  stop(): void {
    void this.#chunks.return?.();
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const { promise, resolve } = Promise.withResolvers<IteratorResult<Buffer> | null>();
    this.#awaited = resolve;
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
