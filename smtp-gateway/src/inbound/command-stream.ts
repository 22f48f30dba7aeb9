// The lines and the data of a session, as smtp-server's parser reads them. Of our own are two
// things: whether more than one line came in one piece, for only then do replies wait for each
// other; and where a message goes, which is no stream but its events, at a tenth of a message's
// whole cost less.
import { EventEmitter } from "node:events";
import type { SMTPServerDataStream } from "smtp-server";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";

const LF = 10;

export class CommandStream extends SMTPStream {
  /** What is being read holds more than one line. */
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
    // Of a stream, the parser and the connection use what MessageEvents has.
    this._dataStream = new MessageEvents() as unknown as SMTPServerDataStream;
    return this._dataStream;
  }
}

/**
 * `data` for each piece, then `end`; or `error` and `close` when the client leaves. Whoever listens
 * has to keep up: pieces are not held back.
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
