// Reads the frames in the body of POST /deliver (docs/egress-protocol.md). A frame is a head and a
// message, and may arrive in chunks of any size. No memory is allocated for a length beyond its
// limit. A message is read only after `admit` has accepted its head.
import type { MailPriority } from "../outcome.ts";

const HEAD_MAX_BYTES = 16 * 1024;
const FRAMED_MESSAGE_MAX_BYTES = 40 * 1024 * 1024;
export const KEY_MAX_CHARACTERS = 256;

export interface FrameHead {
  readonly key: string;
  readonly mail_from: string;
  readonly rcpt_to: string;
  readonly pool: string | null;
  readonly team: string | null;
  readonly priority: MailPriority;
  /** True: the worker has converted all 8-bit parts that may be converted to 7-bit. */
  readonly converted: boolean;
  /**
   * Milliseconds since the message's first arrival at a gateway. 0: the message comes for the first
   * time.
   */
  readonly waited_ms: number;
  /** Size of the message in bytes. */
  readonly size: number;
}

export interface Frame {
  readonly head: FrameHead;
  /** The message. Null: `admit` refused it, so it was dropped. */
  readonly bytes: Buffer | null;
}

export class UnreadableFrame extends Error {}

/**
 * Decides whether the message of a frame is kept, when the frame's head has been read. A message
 * that is not kept is read and dropped.
 */
export type Admit = (head: FrameHead) => boolean;

/**
 * Yields the frames of a body. Throws UnreadableFrame at the first frame that can't be read or is
 * incomplete.
 */
export async function* readFrames(
  body: AsyncIterator<Buffer>,
  admit: Admit,
): AsyncGenerator<Frame, void, undefined> {
  const source = new ByteSource(body);
  const length = Buffer.alloc(4);
  for (;;) {
    const got = await source.read(length.length, length);
    if (got === 0) return;
    if (got < length.length) throw new UnreadableFrame("the body ends inside a frame");
    const head = await readHead(source, length.readUInt32BE());
    const bytes = admit(head) ? Buffer.allocUnsafeSlow(head.size) : null;
    if ((await source.read(head.size, bytes)) < head.size)
      throw new UnreadableFrame("the body ends inside a frame");
    yield { head, bytes };
  }
}

async function readHead(source: ByteSource, length: number): Promise<FrameHead> {
  if (length === 0 || length > HEAD_MAX_BYTES)
    throw new UnreadableFrame(
      `a frame's head has ${length} bytes, but must have 1 to ${HEAD_MAX_BYTES}`,
    );
  const bytes = Buffer.allocUnsafe(length);
  if ((await source.read(length, bytes)) < length)
    throw new UnreadableFrame("the body ends inside a frame's head");
  const head = parseHead(bytes);
  if (typeof head === "string") throw new UnreadableFrame(`a frame's head is malformed: ${head}`);
  return head;
}

/** Returns the head. If the head is malformed, returns the fault. */
function parseHead(bytes: Buffer): FrameHead | string {
  const value = parseJson(bytes);
  if (value === undefined) return "it is not JSON";
  if (!isJsonObject(value)) return "it is not a JSON object";
  const { key, mail_from, rcpt_to, pool = null, team = null, size } = value;
  const { priority = "normal", waited_ms = 0, converted = false } = value;
  if (!isKey(key)) return `key must be a string of 1 to ${KEY_MAX_CHARACTERS} characters`;
  if (typeof mail_from !== "string") return "mail_from must be a string";
  if (typeof rcpt_to !== "string") return "rcpt_to must be a string";
  if (typeof pool !== "string" && pool !== null) return "pool must be a string or null";
  if (typeof team !== "string" && team !== null) return "team must be a string or null";
  if (priority !== "high" && priority !== "normal") return 'priority must be "high" or "normal"';
  if (!isMilliseconds(waited_ms)) return "waited_ms must be a whole number of 0 or more";
  if (typeof converted !== "boolean") return "converted must be a boolean";
  if (!isMessageSize(size)) return `size must be a whole number up to ${FRAMED_MESSAGE_MAX_BYTES}`;
  return { key, mail_from, rcpt_to, pool, team, priority, waited_ms, converted, size };
}

/** Parses JSON. Returns undefined if the bytes are not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isKey(key: unknown): key is string {
  return typeof key === "string" && key !== "" && key.length <= KEY_MAX_CHARACTERS;
}

function isMilliseconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isMessageSize(size: unknown): size is number {
  return Number.isInteger(size) && Number(size) >= 0 && Number(size) <= FRAMED_MESSAGE_MAX_BYTES;
}

/** Reads a given number of bytes from chunks of any size. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  /**
   * Reads `count` bytes into the buffer. Null: drops the bytes. Returns the number of bytes read,
   * which is less than `count` only at the end of the body.
   */
  async read(count: number, into: Buffer | null): Promise<number> {
    let read = 0;
    while (read < count && (this.#chunk.length > 0 || (await this.#pull()))) {
      const taken = Math.min(this.#chunk.length, count - read);
      if (into) this.#chunk.copy(into, read);
      this.#chunk = this.#chunk.subarray(taken);
      read += taken;
    }
    return read;
  }

  async #pull(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#chunk = next.value;
    return true;
  }
}
