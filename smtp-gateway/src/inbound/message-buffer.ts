// Collects an incoming message in one buffer that grows up to a limit. The buffers of all sessions
// share a limit too. If a message is too large or memory is short, the rest of the message is read
// and dropped, so that the client gets its reply at the end. A client that sends far more than its
// limit is cut off.
import type { Readable } from "node:stream";

/**
 * Size of a new buffer. Most messages fit into it, and Node takes a buffer of this size from its
 * pool.
 */
const FIRST_BUFFER_BYTES = 4_000;
const FLOOD_FACTOR = 16;

/**
 * Limits the bytes of all incoming messages together. A message that does not fit into the memory
 * is refused at once.
 */
export class MessageMemory {
  readonly #bytes: number;
  #free: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#free = bytes;
  }

  get taken(): number {
    return this.#bytes - this.#free;
  }

  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#free += bytes;
  }
}

/** The result of reading a message. `gone`: the client disconnected before the end. */
export type FillResult = "whole" | "too large" | "no room" | "flood" | "gone";

/** A message that is read to its end, or until its client sends far more than its limit. */
export abstract class ReceivedMessage {
  #received = 0;
  protected readonly memory: MessageMemory;
  protected readonly limit: number;
  protected problem: "too large" | "no room" | null = null;
  readonly #floodFactor: number;

  /**
   * `floodFactor`: a client that sends this many times its limit is cut off. The gateway reads
   * nothing more from it.
   */
  constructor(memory: MessageMemory, limit: number, floodFactor: number) {
    this.memory = memory;
    this.limit = limit;
    this.#floodFactor = floodFactor;
  }

  /** Number of the message's bytes that have arrived, including bytes that were dropped. */
  get received(): number {
    return this.#received;
  }

  /** Reads the message to its end. The session's reply depends on the result. Never rejects. */
  fill(stream: Readable): Promise<FillResult> {
    const { promise, resolve } = Promise.withResolvers<FillResult>();
    stream.on("data", (chunk: Buffer) => {
      this.#received += chunk.length;
      if (this.#received > this.limit) this.drop("too large");
      if (this.#received > this.limit * this.#floodFactor) resolve("flood");
      this.append(chunk);
    });
    const leave = (): void => resolve("gone");
    stream.once("error", leave);
    stream.once("close", leave);
    stream.once("end", () => {
      stream.off("close", leave);
      this.finish(() => resolve(this.problem ?? "whole"));
    });
    return promise;
  }

  protected drop(problem: "too large" | "no room"): void {
    this.problem ??= problem;
  }

  protected abstract append(chunk: Buffer): void;
  /** Calls `whenStored` when all bytes of the message are stored. */
  protected abstract finish(whenStored: () => void): void;
}

export class MessageBuffer extends ReceivedMessage {
  readonly #head: number;
  #bytes: Buffer | null = null;
  #length = 0;

  /** `head`: bytes before the message. They do not count against `limit`. */
  constructor(memory: MessageMemory, limit: number, head: Buffer = Buffer.alloc(0)) {
    super(memory, limit, FLOOD_FACTOR);
    this.#head = head.length;
    this.append(head);
  }

  /** All collected bytes: the head, then the message. */
  get bytes(): Buffer {
    return (this.#bytes ?? Buffer.alloc(0)).subarray(0, this.#length);
  }

  /** Releases the memory. Further calls do nothing. */
  release(): void {
    if (this.#bytes) this.memory.release(this.#bytes.length);
    this.#bytes = null;
    this.#length = 0;
  }

  protected override append(chunk: Buffer): void {
    if (this.problem || chunk.length === 0) return;
    const length = this.#length + chunk.length;
    if (length > (this.#bytes?.length ?? 0) && !this.#grow(length)) return this.drop("no room");
    chunk.copy(this.#bytes!, this.#length);
    this.#length = length;
  }

  #grow(length: number): boolean {
    const held = this.#bytes?.length ?? 0;
    const wanted = Math.min(
      Math.max(FIRST_BUFFER_BYTES, held * 2, length),
      this.limit + this.#head,
    );
    if (!this.memory.take(wanted)) return false;
    const grown = Buffer.allocUnsafe(wanted);
    this.#bytes?.copy(grown, 0, 0, this.#length);
    this.memory.release(held);
    this.#bytes = grown;
    return true;
  }

  protected override finish(whenStored: () => void): void {
    whenStored();
  }

  protected override drop(problem: "too large" | "no room"): void {
    super.drop(problem);
    this.release();
  }
}
