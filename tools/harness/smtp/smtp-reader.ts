// Splits an SMTP client's bytes into command lines and the content after DATA (RFC 5321 §4.5.2).
// Only CRLF . CRLF ends the content. If a bare LF could end it, a client could smuggle in a second
// message.
import type { Socket } from "node:net";

const LINE_MAX_BYTES = 4096;
/** Maximum number of unread bytes. If there are more, the socket is paused. */
const BUFFER_BYTES = 1024 * 1024;
const CRLF = "\r\n";
const END_OF_DATA = "\r\n.\r\n";

/** The error for a protocol fault of the client that ends the session. */
export class BrokenClient extends Error {}

export class SmtpReader {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #ended = false;
  #paused = false;
  #wake: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", this.#onData);
    socket.on("close", this.#onEnd);
    socket.on("end", this.#onEnd);
  }

  /**
   * Releases the socket before TLS takes it over. Throws if the client has already sent more data,
   * because this data is not encrypted.
   */
  detach(): void {
    this.#socket.off("data", this.#onData);
    this.#socket.off("close", this.#onEnd);
    this.#socket.off("end", this.#onEnd);
    if (this.#buffer.length > 0) throw new BrokenClient("commands behind STARTTLS");
  }

  /**
   * Returns the next line without its end, or null if no line is complete yet. A line may end with
   * LF, because a person at a terminal types such lines.
   */
  line(): string | null {
    const end = this.#buffer.indexOf("\n");
    if (end === -1 ? this.#buffer.length > LINE_MAX_BYTES : end > LINE_MAX_BYTES)
      throw new BrokenClient("line too long");
    return end === -1
      ? null
      : this.#take(end + 1)
          .toString("utf8", 0, end)
          .replace(/\r$/, "");
  }

  /**
   * Reads the content up to the final dot, without removing doubled dots. "too_large": the content
   * has more than `limit` bytes. Null: the client disconnected before the end.
   */
  async content(limit: number): Promise<Buffer | "too_large" | null> {
    const parts: Buffer[] = [];
    let size = 0;
    // A line end is added at the front, so that the terminating dot of an empty message is found
    // too. The code below removes the line end.
    this.#buffer = Buffer.concat([Buffer.from(CRLF), this.#buffer]);
    for (;;) {
      const at = this.#buffer.indexOf(END_OF_DATA);
      const whole = at === -1 ? this.#buffer.length - END_OF_DATA.length + 1 : at + CRLF.length;
      const part = this.#take(Math.max(0, whole));
      size += part.length;
      if (size <= limit + CRLF.length) parts.push(part);
      if (at !== -1) break;
      if (!(await this.more())) return null;
    }
    this.#take(END_OF_DATA.length - CRLF.length);
    return size - CRLF.length > limit ? "too_large" : Buffer.concat(parts).subarray(CRLF.length);
  }

  /** Waits for more bytes. Resolves with false if the client has disconnected. */
  async more(): Promise<boolean> {
    const before = this.#buffer.length;
    if (this.#ended) return false;
    if (this.#paused) this.#socket.resume();
    this.#paused = false;
    await new Promise<void>((wake) => {
      this.#wake = wake;
    });
    return this.#buffer.length > before;
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return taken;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    if (this.#buffer.length > BUFFER_BYTES) {
      this.#paused = true;
      this.#socket.pause();
    }
    this.#wake?.();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };
}
