// Makes message bytes safe to follow DATA (RFC 5321 section 4.5.2): a dot before each line's
// leading dot, and a line end before the final one. A bare CR or LF becomes CRLF on the way: a
// server that takes a bare one for a line end would otherwise see an end of data where there is
// none.

const CR = 13;
const LF = 10;
const DOT = 46;
const CR_BYTE = Buffer.from("\r");
const LF_BYTE = Buffer.from("\n");
const DOT_BYTE = Buffer.from(".");

/** Takes a message in chunks cut anywhere; one a message. */
export class DotStuffer {
  /** The last byte that went by: a message starts as if a line had just ended. */
  #last = LF;

  /** The same bytes when nothing had to change. */
  stuff(chunk: Buffer): Buffer {
    const pieces: Buffer[] = [];
    let last = this.#last;
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      let inserted: Buffer | null = null;
      if (byte === LF) {
        if (last !== CR) inserted = CR_BYTE;
      } else if (last === CR) {
        inserted = byte === DOT ? Buffer.from("\n.") : LF_BYTE;
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

  /** What closes the message, its final dot included. */
  end(): Buffer {
    if (this.#last === LF) return Buffer.from(".\r\n");
    return Buffer.from(this.#last === CR ? "\n.\r\n" : "\r\n.\r\n");
  }
}
