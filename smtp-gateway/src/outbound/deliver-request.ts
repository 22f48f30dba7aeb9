// Serves one POST /deliver (docs/egress-protocol.md). Each message starts when its frame is
// complete, and each outcome is written when it is known. If there is no memory for a frame, the
// frame is read and dropped, and answered at once. A delivery that has started continues, even if
// the client disconnects or stops waiting.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Attempts } from "./attempts.ts";
import type { ByteBudget, Room } from "./byte-budget.ts";
import { type FrameHead, readFrames, UnreadableFrame } from "./frames.ts";
import { outcomeLine, type AttemptResult } from "../outcome.ts";
import { RequestBody } from "./request-body.ts";
import { mailboxDomain } from "../smtp/smtp-transaction.ts";

/** Bytes of memory that a message takes in addition to its own bytes. */
const MESSAGE_OVERHEAD_BYTES = 4096;
const LONGEST_WAIT_SECONDS = 3_600;

/** The reason why reading the body ended. */
type ReadEnd = "whole" | "left" | "cut off" | UnreadableFrame;

/** A frame that is not answered yet. `write` is null when the response has ended. */
interface OpenFrame {
  readonly key: string;
  write: ((line: string) => void) | null;
}

export class DeliverRequest {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #body: RequestBody;
  readonly #attempts: Attempts;
  readonly #budget: ByteBudget;
  readonly #open = new Set<OpenFrame>();
  #frames = 0;
  /** Called when every frame that was read is answered. */
  #onAnswered: () => void = () => {};
  /** The memory taken for the frame that is being read. */
  #room: Room | null = null;
  /** The answer to the frame that is being read, if its message is dropped instead of delivered. */
  #instead: Promise<AttemptResult> | null = null;

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
    // Errors of the response are ignored, because the reading code notices when the client
    // disconnects.
    response.on("error", () => {});
  }

  /**
   * Serves the request. Resolves with null when it is answered, or with the refusal that the caller
   * has to send.
   */
  async run(): Promise<{ status: number; error: string } | null> {
    try {
      const end = await this.#read();
      if (end === "left") return null;
      this.#body.stop();
      if (end instanceof UnreadableFrame && !this.#response.headersSent)
        return { status: 400, error: end.message };
      if (this.#frames === 0 && end === "cut off") return { status: 503, error: "draining" };
      this.#writeHead();
      await this.#waitForAnswers();
      for (const { key } of this.#open) this.#write(outcomeLine(key, { kind: "under_way" }));
      // The status 200 has gone out already. Frames that were not read get no line in the response.
      this.#response.end(() => {
        if (end !== "whole") this.#request.destroy();
      });
      return null;
    } finally {
      for (const frame of this.#open) frame.write = null;
    }
  }

  /** Stops reading, because the gateway is stopping. */
  cutOff(): void {
    this.#body.cutOff();
  }

  async #read(): Promise<ReadEnd> {
    try {
      for await (const { head, bytes } of readFrames(this.#body, (next) => this.#admit(next)))
        this.#answer(head.key, bytes ? this.#start(head, bytes) : this.#instead!);
      return this.#body.cut ?? "whole";
    } catch (error) {
      if (!(error instanceof UnreadableFrame)) throw error;
      return this.#body.cut ?? error;
    } finally {
      this.#room?.release();
    }
  }

  #admit(head: FrameHead): boolean {
    const mail = { key: head.key, rcptTo: head.rcpt_to };
    const refuse = (why: "disk" | "memory") =>
      Promise.resolve(this.#attempts.refuse(mail, { kind: "not_taken", why }));
    this.#instead =
      this.#attempts.find(head.key) ?? (this.#attempts.hasRoom ? null : refuse("disk"));
    if (this.#instead) return false;
    const domain = mailboxDomain(head.rcpt_to) ?? "";
    const holders = { domain, team: teamOf(head), priority: head.priority };
    this.#room = this.#budget.tryTake(holders, head.size + MESSAGE_OVERHEAD_BYTES);
    if (!this.#room) this.#instead = refuse("memory");
    return this.#room !== null;
  }

  #start(head: FrameHead, bytes: Buffer): Promise<AttemptResult> {
    const room = this.#room;
    this.#room = null;
    const { key, mail_from: mailFrom, rcpt_to: rcptTo, pool, priority } = head;
    const { converted: isConverted, waited_ms: waitedMs } = head;
    const turn = { team: teamOf(head), priority, waitedMs };
    const mail = { key, mailFrom, rcptTo, pool, ...turn, bytes, isConverted };
    const fate = this.#attempts.start(mail, room);
    if (room) void holdUntil(fate, room);
    return fate;
  }

  #answer(key: string, fate: Promise<AttemptResult>): void {
    this.#frames++;
    const frame: OpenFrame = { key, write: null };
    frame.write = (line) => {
      this.#write(line);
      this.#open.delete(frame);
      if (this.#open.size === 0) this.#onAnswered();
    };
    this.#open.add(frame);
    void answerWhenKnown(frame, fate);
  }

  /**
   * Resolves when every frame is answered, when the time of `Prefer: wait` is over, or when the
   * client has disconnected.
   */
  async #waitForAnswers(): Promise<void> {
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAnswered = resolve;
    this.#response.once("close", resolve);
    const seconds = preferredWait(this.#request.headers["prefer"]);
    const timer = seconds === null ? undefined : setTimeout(resolve, seconds * 1_000);
    await promise;
    clearTimeout(timer);
  }

  #write(line: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#writeHead();
    this.#response.write(line);
  }

  /**
   * Sends the status 200, before the response's first line or after the whole request body was
   * read. If a malformed frame comes earlier, the answer is 400.
   */
  #writeHead(): void {
    if (this.#response.headersSent || this.#response.writableEnded || this.#response.destroyed)
      return;
    this.#response.writeHead(200, { "content-type": "application/x-ndjson" });
    this.#response.flushHeaders();
  }
}

// A delivery may run long after its request has ended. Therefore the next two functions have no
// reference to the request, which would keep the request in memory.

async function answerWhenKnown(frame: OpenFrame, fate: Promise<AttemptResult>): Promise<void> {
  const known = await fate;
  frame.write?.(outcomeLine(frame.key, known));
}

async function holdUntil(fate: Promise<AttemptResult>, room: Room): Promise<void> {
  await fate;
  room.release();
}

/** Returns the frame's team. A frame without a team counts for the sender's domain. */
function teamOf({ team, mail_from: mailFrom }: FrameHead): string {
  return team ?? mailFrom.slice(mailFrom.lastIndexOf("@") + 1);
}

/**
 * Returns the seconds of `Prefer: wait=N` (RFC 7240 §4.3). Returns null if N is missing or invalid,
 * because such a preference is ignored (§2).
 */
function preferredWait(header: string | string[] | undefined): number | null {
  const [, digits] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,4})"?\s*(?:[,;]|$)/i.exec(String(header)) ?? [];
  return digits !== undefined && Number(digits) <= LONGEST_WAIT_SECONDS ? Number(digits) : null;
}
