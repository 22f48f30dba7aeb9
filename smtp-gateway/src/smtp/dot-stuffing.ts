// Makes the bytes of a message safe to follow DATA (RFC 5321 §4.5.2): doubles each dot at the start
// of a line, and adds the final dot on its own line. A bare CR or LF becomes CRLF, because a server
// that accepts a bare CR or LF as a line end could see the end of data inside the message. Pure.
import { Buffer } from "node:buffer";

const CR = 13;
const LF = 10;
const DOT = 46;
const CR_BYTE = Buffer.from("\r");
const LF_BYTE = Buffer.from("\n");
const DOT_BYTE = Buffer.from(".");
const LF_AND_DOT = Buffer.from("\n.");

/** Encodes one message that arrives in chunks. A chunk may end anywhere. */
export class DotStuffer {
  /**
   * The last byte of the previous chunk. It is LF at first, because a message starts at the
   * beginning of a line.
   */
  #last = LF;

  /** Encodes the next chunk. Returns the same array if nothing has to change. */
  stuff(chunk: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = [];
    let last = this.#last;
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      let inserted: Uint8Array | null = null;
      if (byte === LF) {
        if (last !== CR) inserted = CR_BYTE;
      } else if (last === CR) {
        inserted = byte === DOT ? LF_AND_DOT : LF_BYTE;
      } else if (byte === DOT && last === LF) {
        inserted = DOT_BYTE;
      }
      if (inserted !== null) {
        pieces.push(chunk.subarray(from, at), inserted);
        from = at;
      }
      last = byte;
    }
    this.#last = last;
    if (pieces.length === 0) return chunk;
    pieces.push(chunk.subarray(from));
    return Buffer.concat(pieces);
  }

  /** Returns the bytes that end the message, including the final dot. */
  end(): Uint8Array {
    if (this.#last === LF) return Buffer.from(".\r\n");
    return Buffer.from(this.#last === CR ? "\n.\r\n" : "\r\n.\r\n");
  }
}

/** Encodes a whole message, including its final dot. */
export function stuffDots(message: Uint8Array): Uint8Array {
  const stuffer = new DotStuffer();
  return Buffer.concat([stuffer.stuff(message), stuffer.end()]);
}
