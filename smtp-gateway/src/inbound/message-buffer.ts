// A message on its way in: copied out of the stream into one buffer that grows to its limit, within
// a bound over all sessions. A message that finds no place is read to its end and dropped, so that
// its client gets a reply; one that goes on and on is not.
import type { Readable } from "node:stream";

/** Most messages fit, and Node cuts what is smaller than half of its pool out of that. */
const FIRST_BYTES = 4_000;
/** A client that has sent its limit so many times over is not listened to any longer. */
const FLOOD_FACTOR = 16;

/** Bytes that all messages on their way in may hold together. */
export class MessageRoom {
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

/** How the reading of a message ended; `gone`: its client left. */
export type Filled = "whole" | "too large" | "no room" | "flood" | "gone";

export class MessageBuffer {
  readonly #room: MessageRoom;
  readonly #head: number;
  readonly #limit: number;
  #bytes: Buffer | null = null;
  #length = 0;
  #received = 0;
  #problem: "too large" | "no room" | null = null;

  /** `head` stands before the message and does not count against `limit`. */
  constructor(room: MessageRoom, limit: number, head: Buffer = Buffer.alloc(0)) {
    this.#room = room;
    this.#head = head.length;
    this.#limit = limit;
    this.#append(head);
  }

  /** Head and message. */
  get bytes(): Buffer {
    return (this.#bytes ?? Buffer.alloc(0)).subarray(0, this.#length);
  }

  /** Bytes of the message that arrived, kept or not. */
  get received(): number {
    return this.#received;
  }

  fill(stream: Readable): Promise<Filled> {
    const { promise, resolve } = Promise.withResolvers<Filled>();
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

  /** Gives the memory back. */
  release(): void {
    if (this.#bytes) this.#room.release(this.#bytes.length);
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
    const wanted = Math.min(Math.max(FIRST_BYTES, held * 2, length), this.#limit + this.#head);
    if (!this.#room.take(wanted)) return false;
    const grown = Buffer.allocUnsafe(wanted);
    this.#bytes?.copy(grown, 0, 0, this.#length);
    this.#room.release(held);
    this.#bytes = grown;
    return true;
  }

  #drop(problem: "too large" | "no room"): void {
    this.#problem ??= problem;
    this.release();
  }
}
