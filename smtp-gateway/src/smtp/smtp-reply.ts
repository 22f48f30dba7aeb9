// Reads SMTP replies (RFC 5321 §4.2) from chunks of any size. Also folds a reply into the one line
// that events show (contract.md §Bounces). A reply of more than 64 KB, or a line that is not part
// of a reply, ends the conversation. Pure.
import { Buffer } from "node:buffer";

const REPLY_MAX_BYTES = 64 * 1024;
const TEXT_MAX_BYTES = 1024;
/**
 * Maximum size of the folded text. It is larger than `TEXT_MAX_BYTES`, because white space is
 * removed later.
 */
const FOLDED_MAX_BYTES = 4 * TEXT_MAX_BYTES;

const LINE = /^[2-5]\d\d(?:[ -]|$)/;
const ENHANCED_CODE = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/;

export const SMTP_STAGES = ["connect", "helo", "starttls", "mail", "rcpt", "data", "end"] as const;

/** The step of a session to which a reply belongs. */
export type SmtpStage = (typeof SMTP_STAGES)[number];

export interface Reply {
  readonly code: number;
  /** The text of each line without the reply code. Each character stands for one byte. */
  readonly lines: readonly string[];
}

/** The enhanced status code (RFC 3463) of a reply, and its text without the codes. */
export interface FoldedReply {
  readonly enhanced: string | null;
  /** The text on one line of at most 1 KB of UTF-8. */
  readonly text: string;
}

export class ReplyReader {
  #rest = "";
  #lines: string[] = [];
  #bytes = 0;

  /** True: a part of a reply has arrived, and the rest has not. */
  get midway(): boolean {
    return this.#bytes > 0;
  }

  /**
   * Reads the next bytes. Calls `onReply` for each reply that is complete. Returns null, or the
   * reason why the bytes are not SMTP replies. In that case, reading can't continue.
   */
  push(bytes: Uint8Array, onReply: (reply: Reply) => void): string | null {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = (this.#rest + text.slice(from, end)).replace(/\r$/, "");
      this.#rest = "";
      this.#bytes += end + 1 - from;
      from = end + 1;
      if (this.#bytes > REPLY_MAX_BYTES) break;
      if (!LINE.test(line)) return "a line that is not an SMTP reply";
      const reply = this.#addLine(line);
      if (reply) onReply(reply);
    }
    this.#rest += text.slice(from);
    this.#bytes += text.length - from;
    return this.#bytes > REPLY_MAX_BYTES ? "a reply of more than 64 KB" : null;
  }

  #addLine(line: string): Reply | null {
    this.#lines.push(line.slice(4));
    if (line[3] === "-") return null;
    const reply = { code: Number(line.slice(0, 3)), lines: this.#lines };
    this.#lines = [];
    this.#bytes = 0;
    return reply;
  }
}

export function isPositive({ code }: Reply): boolean {
  return code >= 200 && code <= 299;
}

export function foldReply({ lines }: Reply): FoldedReply {
  const enhanced = ENHANCED_CODE.exec(lines[0]?.trim() ?? "")?.[1] ?? null;
  let folded = "";
  for (const line of lines) {
    if (folded.length > FOLDED_MAX_BYTES) break;
    const text = line.slice(0, FOLDED_MAX_BYTES).trim();
    const code = ENHANCED_CODE.exec(text)?.[1];
    folded += ` ${enhanced !== null && code === enhanced ? text.slice(enhanced.length) : text}`;
  }
  return { enhanced, text: cutToSize(printable(folded)) };
}

/** Decodes UTF-8, and replaces white space and control characters by spaces. */
function printable(latin1: string): string {
  const text = Buffer.from(latin1, "latin1").toString("utf8");
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function cutToSize(text: string): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= TEXT_MAX_BYTES) return text;
  let end = TEXT_MAX_BYTES;
  while ((encoded[end]! & 0xc0) === 0x80) end--;
  return encoded.toString("utf8", 0, end);
}
