// Reads the lines and the data of a session with smtp-server's parser, with two changes. First, it
// notes whether several lines came in one chunk, because only then several replies go out together.
// Second, it passes a message on by events instead of a stream, which saves a tenth of the cost of
// a message.
import { EventEmitter } from "node:events";
import type { SMTPServerDataStream } from "smtp-server";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";

const LF = 10;

export class CommandStream extends SMTPStream {
  /** True: the chunk that is being read has more than one line. */
  isPipelined = false;

  override _write(
    chunk: Buffer,
    encoding: BufferEncoding | "buffer",
    next: (error?: Error | null) => void,
  ): void {
    this.isPipelined = !this._dataMode && chunk.indexOf(LF) < chunk.length - 1;
    super._write(chunk, encoding, next);
  }

  override startDataMode(maxBytes?: number | string | null): SMTPServerDataStream {
    this._dataMode = true;
    this._maxBytes = Number(maxBytes) || Number.POSITIVE_INFINITY;
    this.dataBytes = 0;
    this._atDataStart = true;
    // MessageEvents has every member of a stream that smtp-server uses.
    this._dataStream = new MessageEvents() as unknown as SMTPServerDataStream;
    return this._dataStream;
  }
}

/**
 * Passes on the data of one message: emits `data` for each chunk, then `end`. If the client leaves
 * early, it emits `error` and `close` instead. Listeners must keep up, because there is no
 * backpressure.
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
