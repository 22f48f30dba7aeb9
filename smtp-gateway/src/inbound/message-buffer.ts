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
/**
 * A client that sends this many times its limit is cut off: the gateway reads nothing more from it.
 */
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

export class MessageBuffer {
  readonly #memory: MessageMemory;
  readonly #head: number;
  readonly #limit: number;
  #bytes: Buffer | null = null;
  #length = 0;
  #received = 0;
  #problem: "too large" | "no room" | null = null;

  /** `head`: bytes before the message. They do not count against `limit`. */
  constructor(memory: MessageMemory, limit: number, head: Buffer = Buffer.alloc(0)) {
    this.#memory = memory;
    this.#head = head.length;
    this.#limit = limit;
    this.#append(head);
  }

  /** All collected bytes: the head, then the message. */
  get bytes(): Buffer {
    return (this.#bytes ?? Buffer.alloc(0)).subarray(0, this.#length);
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
      if (this.#received > this.#limit) this.#drop("too large");
      if (this.#received > this.#limit * FLOOD_FACTOR) resolve("flood");
      this.#append(chunk);
    });
    stream.once("end", () => resolve(this.#problem ?? "whole"));
    stream.once("error", () => resolve("gone"));
    stream.once("close", () => resolve("gone"));
    return promise;
  }

  /** Releases the memory. Further calls do nothing. */
  release(): void {
    if (this.#bytes) this.#memory.release(this.#bytes.length);
    this.#bytes = null;
    this.#length = 0;
  }

  #append(chunk: Buffer): void {
    if (this.#problem || chunk.length === 0) return;
    const length = this.#length + chunk.length;
    if (length > (this.#bytes?.length ?? 0) && !this.#grow(length)) return this.#drop("no room");
    chunk.copy(this.#bytes!, this.#length);
    this.#length = length;
  }

  #grow(length: number): boolean {
    const held = this.#bytes?.length ?? 0;
    const wanted = Math.min(
      Math.max(FIRST_BUFFER_BYTES, held * 2, length),
      this.#limit + this.#head,
    );
    if (!this.#memory.take(wanted)) return false;
    const grown = Buffer.allocUnsafe(wanted);
    this.#bytes?.copy(grown, 0, 0, this.#length);
    this.#memory.release(held);
    this.#bytes = grown;
    return true;
  }

  #drop(problem: "too large" | "no room"): void {
    this.#problem ??= problem;
    this.release();
  }
}
