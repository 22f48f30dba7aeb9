// Reads SMTP replies (RFC 5321 section 4.2) out of a byte stream cut anywhere, and folds one to the
// line that events carry: code and enhanced code split off, one line, at most 1 KB. A reply of more
// than 64 KB, or one that is none, ends the conversation.

const REPLY_MAX_BYTES = 64 * 1024;
const TEXT_MAX_BYTES = 1024;

export interface Reply {
  readonly code: number;
  /** Each line behind its code, one character a byte. */
  readonly lines: readonly string[];
}

export class UnreadableReply extends Error {}

export class ReplyReader {
  #rest = "";
  #lines: string[] = [];
  #bytes = 0;

  /**
   * Hands over each reply that `chunk` completes. Throws UnreadableReply, after which the reader is
   * of no more use.
   */
  push(chunk: Buffer, onReply: (reply: Reply) => void): void {
    const text = chunk.toString("latin1");
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = this.#rest + text.slice(from, end);
      this.#rest = "";
      this.#count(end + 1 - from);
      from = end + 1;
      const reply = this.#line(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (reply) onReply(reply);
    }
    this.#count(text.length - from);
    this.#rest += text.slice(from);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > REPLY_MAX_BYTES) throw new UnreadableReply("a reply of more than 64 KB");
  }

  #line(line: string): Reply | null {
    if (!/^[2-5]\d\d(?:[ -]|$)/.test(line))
      throw new UnreadableReply("a line that is no SMTP reply");
    this.#lines.push(line.slice(4));
    if (line[3] === "-") return null;
    const reply = { code: Number(line.slice(0, 3)), lines: this.#lines };
    this.#lines = [];
    this.#bytes = 0;
    return reply;
  }
}

/**
 * The enhanced code that a reply opens with, and its text without it, as one line of at most 1 KB
 * of UTF-8.
 */
export function foldReply(reply: Reply): { enhanced: string | null; text: string } {
  const enhanced = /^\s*([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(reply.lines[0] ?? "")?.[1] ?? null;
  const kept: string[] = [];
  let length = 0;
  for (const line of reply.lines) {
    if (length > TEXT_MAX_BYTES) break;
    const trimmed = line.slice(0, TEXT_MAX_BYTES * 2).trim();
    const text =
      enhanced !== null && trimmed.startsWith(enhanced)
        ? trimmed.slice(enhanced.length).trimStart()
        : trimmed;
    if (text === "") continue;
    kept.push(text);
    length += text.length + 1;
  }
  return { enhanced, text: printable(kept.join(" ")) };
}

function printable(bytes: string): string {
  const text = Buffer.from(bytes, "latin1")
    .toString("utf8")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  const encoded = Buffer.from(text);
  if (encoded.length <= TEXT_MAX_BYTES) return text;
  let end = TEXT_MAX_BYTES;
  while ((encoded[end]! & 0xc0) === 0x80) end--;
  return encoded.toString("utf8", 0, end);
}
