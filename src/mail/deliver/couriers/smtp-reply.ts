// A relay's replies (RFC 5321 section 4.2): read out of a byte stream that may be cut anywhere, and
// folded to what an outcome keeps of one. Hostile input ends the conversation: a reply of more than
// 64 KB, or a line that is none. Pure.
import { Buffer } from "node:buffer";
import { onOneLine, replyLine } from "../../classify/reply-line.ts";

const REPLY_BYTES = 64 * 1024;
/** No more of a line, or of all lines together, can matter to what is kept. */
const KEPT_BYTES = 4 * 1024;

const LINE = /^[2-5]\d\d(?:[ -]|$)/;
const ENHANCED_CODE = /^\s*([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/;

export interface Reply {
  readonly code: number;
  /** What follows the code, line by line, one character a byte. */
  readonly lines: readonly string[];
}

/** What the server says is no SMTP. */
export class UnreadableReply extends Error {}

export class ReplyReader {
  #line = "";
  #lines: string[] = [];
  #bytes = 0;

  /** True: the beginning of a reply is here, its end is not. */
  get midway(): boolean {
    return this.#bytes > 0;
  }

  /**
   * Hands over each reply that these bytes complete. Throws UnreadableReply; the reader is of no
   * use then.
   */
  push(bytes: Uint8Array, onReply: (reply: Reply) => void): void {
    const parts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("latin1")
      .split("\n");
    for (const [index, part] of parts.entries()) {
      const ends = index < parts.length - 1;
      this.#bytes += part.length + (ends ? 1 : 0);
      if (this.#bytes > REPLY_BYTES) throw new UnreadableReply("a reply of more than 64 KB");
      this.#line += part;
      if (!ends) break;
      const reply = this.#take(this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line);
      if (reply) onReply(reply);
    }
  }

  #take(line: string): Reply | null {
    this.#line = "";
    if (!LINE.test(line)) throw new UnreadableReply("a line that is no SMTP reply");
    this.#lines.push(line.slice(4));
    if (line[3] === "-") return null;
    const reply = { code: Number(line.slice(0, 3)), lines: this.#lines };
    this.#lines = [];
    this.#bytes = 0;
    return reply;
  }
}

/**
 * The enhanced code that the reply begins with, and its words on one line of at most 1 KB, without
 * the codes.
 */
export function foldReply({ lines }: Reply): { enhanced: string | null; text: string } {
  const enhanced = ENHANCED_CODE.exec(lines[0] ?? "")?.[1] ?? null;
  let words = "";
  for (const line of lines) {
    if (words.length > KEPT_BYTES) break;
    const said = line.slice(0, KEPT_BYTES).trim();
    words += ` ${enhanced !== null && ENHANCED_CODE.exec(said)?.[1] === enhanced ? said.slice(enhanced.length) : said}`;
  }
  return {
    enhanced,
    text: replyLine(onOneLine(Buffer.from(words.trim(), "latin1").toString("utf8"))),
  };
}
