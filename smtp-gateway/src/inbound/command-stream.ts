// Reads the lines and the data of a session with smtp-server's parser, with four changes. First,
// only CRLF ends a command (RFC 5321 §2.3.8). Second, it records whether several lines came in one
// chunk, because only then several replies go out together. Third, it passes a message on by events
// instead of a stream, which saves a tenth of the cost of a message. Fourth, it removes all escape
// dots of a chunk at once.
import { EventEmitter } from "node:events";
import type { SMTPServerDataStream } from "smtp-server";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";

const LF = 0x0a;
const CR = 0x0d;
const NUL = 0;
const DOT = 0x2e;
const ESCAPE = "\n..";

export class CommandStream extends SMTPStream {
  /** True: the chunk that is being read has more than one line. */
  isPipelined = false;

  /** The chunk whose lines are being read, as it was received. */
  #chunk: Buffer | null = null;

  override _write(
    chunk: Buffer,
    encoding: BufferEncoding | "buffer",
    next: (error?: Error | null) => void,
  ): void {
    const begun = this.#chunk;
    this.#chunk = null;
    this.isPipelined = !this._dataMode && chunk.indexOf(LF) < chunk.length - 1;
    if (this._dataMode) {
      // smtp-server passes on the rest of a chunk in which DATA began. The data keeps its bare LFs.
      const data = begun ? begun.subarray(begun.length - chunk.length) : chunk;
      return super._write(data, encoding, next);
    }
    this.#chunk = chunk;
    super._write(withoutBareLf(chunk, this._remainder.endsWith("\r")), encoding, (error) => {
      this.#chunk = null;
      next(error);
    });
  }

  /**
   * Removes the escape dots of a chunk at once (RFC 5321 §4.5.2). smtp-server lets other work run
   * after each escape dot, so a mail of dots would keep the thread busy for half a second per
   * megabyte. smtp-server still handles the rest of the chunk, from the last escape dot on.
   */
  override _feedDataStream(chunk: Buffer, done: (error?: Error | null) => void): void {
    if (this._atDataStart) return super._feedDataStream(chunk, done);
    const data = this._lastBytes ? Buffer.concat([this._lastBytes, chunk]) : chunk;
    this._lastBytes = false;
    const { plain, rest } = withoutEscapes(data);
    if (plain) {
      this._countDataBytes(plain.length);
      if (this._dataStream?.writable) this._dataStream.write(plain);
    }
    super._feedDataStream(rest, done);
  }

  override startDataMode(maxBytes?: number | string | null): SMTPServerDataStream {
    this._dataMode = true;
    this._maxBytes = Number(maxBytes) || Number.POSITIVE_INFINITY;
    this.dataBytes = 0;
    this._atDataStart = true;
    // The cast is safe, because MessageEvents has every member of a stream that smtp-server uses.
    this._dataStream = new MessageEvents() as unknown as SMTPServerDataStream;
    return this._dataStream;
  }
}

/**
 * Returns the data before the last escape dot without its escape dots, and the rest. `plain` is
 * absent if the data has no escape dot. Like smtp-server, it judges a dot only if two bytes follow
 * the dot, and if the escape before it is at least two bytes away.
 */
function withoutEscapes(data: Buffer): { readonly plain?: Buffer; readonly rest: Buffer } {
  if (!data.includes(ESCAPE)) return { rest: data };
  const copy = Buffer.allocUnsafe(data.length);
  let written = 0;
  let plain = 0;
  let from = 0;
  for (let at = 0; at < data.length - 2; at += 1) {
    if (data[at] === DOT && data[at - 1] === LF && at >= from + 2) {
      if (data[at - 2] === CR && data[at + 1] === CR && data[at + 2] === LF) break;
      if (data[at + 1] === DOT) {
        plain = written;
        from = at + 1;
        continue;
      }
    }
    copy[written] = data[at]!;
    written += 1;
  }
  return from === 0
    ? { rest: data }
    : { plain: copy.subarray(0, plain), rest: data.subarray(from) };
}

/**
 * Replaces each LF without a CR by NUL. So smtp-server's parser does not end a line there, and the
 * line is refused. `afterCr`: the previous chunk ended in CR.
 */
function withoutBareLf(chunk: Buffer, afterCr: boolean): Buffer {
  let plain = chunk;
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
    if (at === 0 ? afterCr : chunk[at - 1] === CR) continue;
    if (plain === chunk) plain = Buffer.from(chunk);
    plain[at] = NUL;
  }
  return plain;
}

/**
 * Passes on the data of one message: emits `data` for each chunk, then `end`. If the client leaves
 * early, it emits `error` and `close` instead. Listeners must handle each chunk at once, because
 * there is no backpressure.
 */
class MessageEvents extends EventEmitter {
  byteLength = 0;
  sizeExceeded = false;
  readable = true;
  writable = true;
  destroyed = false;
  readonly readableFlowing = true;

  get readableEnded(): boolean {
    return !this.readable && !this.destroyed;
  }

  get writableEnded(): boolean {
    return this.readableEnded;
  }

  write(piece: Buffer): boolean {
    this.emit("data", piece);
    return true;
  }

  end(piece?: Buffer): void {
    if (piece) this.emit("data", piece);
    this.readable = false;
    this.writable = false;
    this.emit("end");
  }

  destroy(error?: Error): void {
    this.destroyed = true;
    this.readable = false;
    this.writable = false;
    if (error) this.emit("error", error);
    this.emit("close");
  }
}
