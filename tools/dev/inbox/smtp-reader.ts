// Splits an SMTP client's bytes into command lines and the content after DATA, with its
// dot-stuffing undone and nothing else changed (RFC 5321 §4.5.2). Only CRLF . CRLF ends the
// content, so that a bare LF can't smuggle in a second message.
import type { Socket } from "node:net";

const LINE_MAX_BYTES = 4096;
/** The socket is paused while more bytes than these are unread. */
const BUFFER_BYTES = 1024 * 1024;
const CRLF = "\r\n";

/** A breach of the protocol that ends the session. */
export class BrokenClient extends Error {}

export class SmtpReader {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", this.#onData);
    socket.on("close", this.#onEnd);
    socket.on("end", this.#onEnd);
  }

  /**
   * Releases the socket before TLS takes it over. Throws when the client has already sent more,
   * which came unencrypted.
   */
  detach(): void {
    this.#socket.off("data", this.#onData);
    this.#socket.off("close", this.#onEnd);
    this.#socket.off("end", this.#onEnd);
    if (this.#buffer.length > 0) throw new BrokenClient("commands behind STARTTLS");
  }

  /**
   * Returns the next line without its end (CRLF, or LF as a person at a terminal sends it); null
   * when the client is gone.
   */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#buffer.indexOf("\n");
      if (end === -1 ? this.#buffer.length > LINE_MAX_BYTES : end > LINE_MAX_BYTES)
        throw new BrokenClient("line too long");
      if (end !== -1) {
        const line = this.#buffer.toString("utf8", 0, end).replace(/\r$/, "");
        this.#buffer = this.#buffer.subarray(end + 1);
        return line;
      }
      if (!(await this.#more())) return null;
    }
  }

  /**
   * Returns the content up to the lone dot; "too_large" when it was more than `limit` bytes; null
   * when the client left before its end.
   */
  async content(limit: number): Promise<Buffer | "too_large" | null> {
    const parts: Buffer[] = [];
    let size = 0;
    const keep = (part: Buffer): void => {
      size += part.length;
      if (size <= limit + CRLF.length) parts.push(part);
    };
    // A line end before the first line makes a dot at the very beginning like any other. It is
    // removed below.
    this.#buffer = Buffer.concat([Buffer.from(CRLF), this.#buffer]);
    for (;;) {
      const at = this.#buffer.indexOf("\r\n.");
      if (at === -1) {
        const safe = Math.max(0, this.#buffer.length - CRLF.length);
        keep(this.#take(safe));
      } else if (this.#buffer.length >= at + 5) {
        keep(this.#take(at + CRLF.length));
        const rest = this.#buffer.toString("latin1", 1, 3);
        this.#take(rest === CRLF ? 3 : 1);
        if (rest === CRLF) break;
        continue;
      }
      if (!(await this.#more())) return null;
    }
    return size - CRLF.length > limit ? "too_large" : Buffer.concat(parts).subarray(CRLF.length);
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    const before = this.#buffer.length;
    if (this.#ended) return false;
    this.#socket.resume();
    await new Promise<void>((wake) => {
      this.#wake = wake;
    });
    return this.#buffer.length > before;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    if (this.#buffer.length > BUFFER_BYTES) this.#socket.pause();
    this.#wakeUp();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wakeUp();
  };

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
