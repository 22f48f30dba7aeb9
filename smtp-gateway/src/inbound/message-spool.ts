// Writes an incoming message to a file while it arrives, because a reply may have 10 MB and memory
// must suffice for many sessions (docs/gateway-protocol.md §A reply). The file loses its name at
// once, so nothing is left of it when the process ends. Only the bytes that are not on disk yet are
// in memory.
import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type MessageMemory, ReceivedMessage } from "./message-buffer.ts";

const FLOOD_FACTOR = 2;
const BLOCK_BYTES = 64 * 1024;

export class MessageSpool extends ReceivedMessage {
  #length = 0;
  readonly #file: Promise<FileHandle>;
  /** Resolves when all bytes so far are on disk. */
  #written: Promise<void>;
  /**
   * Bytes that are collected for one write. The SMTP parser passes on each line that begins with a
   * dot separately. Without the block, a mail of dots would cost a write and a promise for every
   * three bytes.
   */
  #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #filled = 0;
  /** Bytes whose write has begun. */
  #begun = 0;

  constructor(memory: MessageMemory, limit: number) {
    super(memory, limit, FLOOD_FACTOR);
    this.#file = openNameless();
    this.#written = this.#file.then(
      () => undefined,
      () => this.drop("no room"),
    );
  }

  /** Number of bytes that were not dropped. */
  get length(): number {
    return this.#length;
  }

  /** Returns the number of the open file, for a reader in another thread. */
  async descriptor(): Promise<number> {
    return (await this.#file).fd;
  }

  /** Reads the whole message from its beginning. */
  async read(): Promise<Readable> {
    return (await this.#file).createReadStream({
      start: 0,
      end: Math.max(0, this.#length - 1),
      autoClose: false,
    });
  }

  /** Reads at most the first `bytes` bytes. */
  async start(bytes: number): Promise<Buffer> {
    const size = Math.min(bytes, this.#length);
    const { buffer } = await (await this.#file).read(Buffer.alloc(size), 0, size, 0);
    return buffer;
  }

  /** Closes the file, which frees its disk space. */
  async close(): Promise<void> {
    this.#writeBlock();
    await this.#written;
    await this.#file.then(
      (file) => file.close(),
      () => undefined,
    );
  }

  protected override append(chunk: Buffer): void {
    if (this.problem || chunk.length === 0) return;
    if (!this.memory.take(chunk.length)) return this.drop("no room");
    this.#length += chunk.length;
    for (let from = 0; from < chunk.length;) {
      const copied = chunk.copy(this.#block, this.#filled, from);
      from += copied;
      this.#filled += copied;
      if (this.#filled === BLOCK_BYTES) this.#writeBlock();
    }
  }

  protected override finish(whenStored: () => void): void {
    this.#writeBlock();
    void this.#written.then(whenStored);
  }

  #writeBlock(): void {
    const [bytes, at] = [this.#block.subarray(0, this.#filled), this.#begun];
    if (bytes.length === 0) return;
    this.#begun += bytes.length;
    this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#filled = 0;
    this.#written = this.#written
      .then(() => this.#write(bytes, at))
      .catch(() => this.drop("no room"))
      .finally(() => this.memory.release(bytes.length));
  }

  async #write(bytes: Buffer, at: number): Promise<void> {
    if (!this.problem) await (await this.#file).write(bytes, 0, bytes.length, at);
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `postern-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
