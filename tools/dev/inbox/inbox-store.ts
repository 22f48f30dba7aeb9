// Stores the inbox's messages in one file that only grows, and indexes the messages' heads in
// memory. For each message, the file has a frame: the head's length in 4 bytes, the head as JSON,
// and the message as received. A message counts as stored when the kernel has its frame. So if the
// process is killed, it loses no message that it answered with 250.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

const FILE = "messages";
const LENGTH_BYTES = 4;
/**
 * Maximum size of a head. If a frame claims a longer head, the rest of the file is an incomplete
 * write.
 */
const HEAD_MAX_BYTES = 1024 * 1024;
/** Number of bytes that one read takes from the file: enough for the whole head of a message. */
const WINDOW_BYTES = 2 * HEAD_MAX_BYTES;

/** A stored message, as listed by GET /api/messages. */
export interface MessageHead {
  readonly id: string;
  /** The envelope sender without angle brackets. It is empty for a bounce. */
  readonly mail_from: string;
  readonly rcpt_to: readonly string[];
  /** The message's From, To and Subject. A missing field is an empty text. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Absent: an earlier version stored the message. */
  readonly message_id?: string;
  readonly received_at: string;
  /** Size of the message in bytes. */
  readonly size: number;
  /** The TLS version of the SMTP session. Null: the session had no TLS. */
  readonly tls: string | null;
  /**
   * The client's IP address, its name in EHLO, and the number of the message in its SMTP session.
   */
  readonly session: { readonly client: string; readonly helo: string; readonly message: number };
}

interface Kept {
  readonly head: MessageHead;
  /** Offset of the message's bytes in the file. */
  readonly at: number;
}

interface Pending {
  readonly head: MessageHead;
  readonly frame: readonly Uint8Array[];
  readonly kept: (head: MessageHead) => void;
  readonly failed: (error: unknown) => void;
}

export class MessageStore {
  readonly #file: FileHandle;
  readonly #kept = new Map<string, Kept>();
  #end: number;
  #pending: Pending[] = [];
  #clears: { readonly done: () => void; readonly failed: (error: unknown) => void }[] = [];
  #writing: Promise<void> | null = null;

  private constructor(file: FileHandle, kept: readonly Kept[], end: number) {
    this.#file = file;
    for (const one of kept) this.#kept.set(one.head.id, one);
    this.#end = end;
  }

  /**
   * Opens the store in `directory`. If a kill left an incomplete frame at the end, this frame is
   * cut off.
   */
  static async open(directory: string): Promise<MessageStore> {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, FILE);
    const file = await open(path, "a+").then(async (made) => {
      await made.close();
      return open(path, "r+");
    });
    const { kept, end } = await readFrames(file);
    await file.truncate(end);
    return new MessageStore(file, kept, end);
  }

  /** Stores a message. Resolves when the message survives a kill of this process. */
  add(
    raw: Buffer,
    envelope: Omit<MessageHead, "id" | "received_at" | "size">,
  ): Promise<MessageHead> {
    const head = {
      id: randomUUID(),
      ...envelope,
      received_at: new Date().toISOString(),
      size: raw.length,
    };
    const json = Buffer.from(JSON.stringify(head));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(json.length);
    return new Promise((kept, failed) => {
      this.#pending.push({ head, frame: [length, json, raw], kept, failed });
      this.#writing ??= this.#write();
    });
  }

  /**
   * Lists the heads of messages, newest first. `to` restricts the list to one recipient, ignoring
   * case.
   */
  list(to: string | null, limit: number): MessageHead[] {
    const wanted = to?.toLowerCase();
    const found: MessageHead[] = [];
    for (const { head } of [...this.#kept.values()].toReversed()) {
      if (found.length >= limit) break;
      if (wanted === undefined || head.rcpt_to.some((address) => address.toLowerCase() === wanted))
        found.push(head);
    }
    return found;
  }

  find(id: string): MessageHead | undefined {
    return this.#kept.get(id)?.head;
  }

  /** Returns a message's bytes as received. Returns undefined if no message has this id. */
  async raw(id: string): Promise<Buffer | undefined> {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    const bytes = Buffer.alloc(kept.head.size);
    await this.#file.read(bytes, 0, bytes.length, kept.at);
    return bytes;
  }

  /** Deletes all messages stored so far. */
  clear(): Promise<void> {
    return new Promise((done, failed) => {
      this.#clears.push({ done, failed });
      this.#writing ??= this.#write();
    });
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#file.close();
  }

  /**
   * Does the waiting writes and deletions one after the other. All waiting messages are stored by
   * one write, so that many sessions share one system call.
   */
  async #write(): Promise<void> {
    while (this.#pending.length > 0 || this.#clears.length > 0) {
      const clears = this.#clears;
      const batch = clears.length > 0 ? [] : this.#pending;
      if (clears.length > 0) this.#clears = [];
      else this.#pending = [];
      try {
        await (clears.length > 0 ? this.#truncate() : this.#append(batch));
        for (const clear of clears) clear.done();
      } catch (error) {
        for (const one of [...batch, ...clears]) one.failed(error);
      }
    }
    this.#writing = null;
  }

  async #truncate(): Promise<void> {
    this.#kept.clear();
    this.#end = 0;
    await this.#file.truncate(0);
  }

  async #append(batch: readonly Pending[]): Promise<void> {
    const bytes = Buffer.concat(batch.flatMap((one) => one.frame));
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        written,
        bytes.length - written,
        this.#end + written,
      );
      written += bytesWritten;
    }
    for (const one of batch) {
      const before = one.frame.slice(0, 2).reduce((sum, part) => sum + part.length, 0);
      this.#kept.set(one.head.id, { head: one.head, at: this.#end + before });
      this.#end += before + one.head.size;
      one.kept(one.head);
    }
  }
}

async function readFrames(file: FileHandle): Promise<{ kept: Kept[]; end: number }> {
  const { size } = await file.stat();
  const readAt = windowOn(file);
  const kept: Kept[] = [];
  let end = 0;
  while (end + LENGTH_BYTES <= size) {
    const length = (await readAt(end, LENGTH_BYTES)).readUInt32BE();
    const at = end + LENGTH_BYTES + length;
    if (length > HEAD_MAX_BYTES || at > size) break;
    const head = parseHead(await readAt(end + LENGTH_BYTES, length));
    if (head === null || at + head.size > size) break;
    kept.push({ head, at });
    end = at + head.size;
  }
  return { kept, end };
}

/**
 * Returns a function that reads bytes of the file. It reads large blocks and returns small parts of
 * them, to save system calls.
 */
function windowOn(file: FileHandle): (at: number, length: number) => Promise<Buffer> {
  const buffer = Buffer.alloc(WINDOW_BYTES);
  let start = 0;
  let filled = 0;
  return async (at, length) => {
    if (at + length > start + filled) {
      start = at;
      ({ bytesRead: filled } = await file.read(buffer, 0, buffer.length, at));
    }
    return buffer.subarray(at - start, at - start + length);
  };
}

function parseHead(bytes: Buffer): MessageHead | null {
  try {
    return JSON.parse(bytes.toString("utf8")) as MessageHead;
  } catch {
    return null;
  }
}
