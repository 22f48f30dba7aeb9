// One connection to the relay as a client sees it: write, await one reply before a deadline, go
// over to TLS, learn that it is lost. Deadlines are absolute, so that a server that drips bytes
// gains nothing. A Worker hears of a failed handshake as "internal error" and of a refused
// connection in no better words: only where it stood says what happened.
import { connect } from "cloudflare:sockets";
import type { SmtpRelay } from "../../../settings.ts";
import { type Reply, ReplyReader, UnreadableReply } from "./smtp-reply.ts";

/** The conversation is over without what was awaited. */
export class Lost extends Error {
  readonly how: "closed" | "timeout" | "unreadable";

  constructor(how: Lost["how"], detail: string) {
    super(detail);
    this.how = how;
  }
}

/** What EHLO offered. */
export interface Capabilities {
  readonly pipelining: boolean;
  readonly size: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  readonly startTls: boolean;
  /** Names of SASL mechanisms, in capitals. */
  readonly auth: ReadonlySet<string>;
}

const NO_CAPABILITIES: Capabilities = {
  pipelining: false,
  size: false,
  eightBitMime: false,
  smtpUtf8: false,
  startTls: false,
  auth: new Set(),
};

/** How long the answer of a server that stopped reading is waited for. */
const LAST_WORDS_MS = 500;

const encoder = new TextEncoder();

export class SmtpConnection {
  readonly host: string;
  capabilities = NO_CAPABILITIES;
  /** Transactions begun on it. */
  transactions = 0;
  /** The last transaction was refused half way: RSET comes before the next. */
  unfinished = false;
  #socket: Socket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  #replies = new ReplyReader();
  #arrived: Reply[] = [];
  /** The one read that is under way; its end is seen in `#arrived` and `#lost`. */
  #reading: Promise<void> | null = null;
  #lost: Lost | null = null;
  #encrypted: boolean;

  private constructor(socket: Socket, host: string, encrypted: boolean) {
    this.host = host;
    this.#encrypted = encrypted;
    [this.#socket, this.#reader, this.#writer] = attached(socket);
  }

  /** Connected, and behind the handshake where TLS is implicit. Throws Lost. */
  static async open(
    { host, port, implicitTls }: Pick<SmtpRelay, "host" | "port" | "implicitTls">,
    ms: number,
  ): Promise<SmtpConnection> {
    const socket = connect(
      { hostname: host, port },
      { secureTransport: implicitTls ? "on" : "starttls", allowHalfOpen: false },
    );
    const connection = new SmtpConnection(socket, host, implicitTls);
    await connection.#opened(
      socket,
      ms,
      "the connection was refused, or its TLS",
      "no connection in time",
    );
    return connection;
  }

  get encrypted(): boolean {
    return this.#encrypted;
  }

  get lost(): boolean {
    return this.#lost !== null;
  }

  /** The next reply. Throws Lost, and is lost, when none has come after `ms`. */
  async reply(ms: number): Promise<Reply> {
    const until = Date.now() + ms;
    for (;;) {
      const reply = this.#arrived.shift();
      if (reply) return reply;
      await this.#before(this.#read(), until - Date.now(), "no answer in time");
    }
  }

  /** A reply that came before anyone waited for it. */
  takeEarly(): Reply | undefined {
    if (!this.#lost) void this.#read();
    return this.#arrived.shift();
  }

  async command(line: string, ms: number): Promise<Reply> {
    await this.send(line, ms);
    return this.reply(ms);
  }

  /**
   * Writes lines, or bytes as they are, until they went out or an early reply makes the rest
   * pointless. Throws Lost.
   */
  async send(what: string | Uint8Array, ms: number): Promise<void> {
    if (this.#lost) throw this.#lost;
    const until = Date.now() + ms;
    const bytes = typeof what === "string" ? encoder.encode(`${what}\r\n`) : what;
    const writing = this.#write(bytes);
    while (this.#arrived.length === 0) {
      const first = await this.#before(
        Promise.race([writing, this.#read()]),
        until - Date.now(),
        "the server stopped reading",
      );
      if (first === "written") return;
    }
  }

  /**
   * The handshake of STARTTLS (RFC 3207), once the server has agreed to it. Whatever stood behind
   * its reply in the clear may come from an attacker and ends everything; what comes after that
   * meets the handshake. Throws Lost.
   */
  async startTls(ms: number): Promise<void> {
    if (this.#arrived.length > 0 || this.#replies.midway)
      this.#lose(new Lost("unreadable", "an answer in the clear behind STARTTLS"));
    if (this.#lost) throw this.#lost;
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    const secure = this.#socket.startTls({ expectedServerHostname: this.host });
    [this.#socket, this.#reader, this.#writer] = attached(secure);
    this.capabilities = NO_CAPABILITIES;
    await this.#opened(secure, ms, "the TLS handshake failed", "the TLS handshake took too long");
    this.#encrypted = true;
  }

  /** Says goodbye and has the server close, or closes after `ms`. */
  async quit(ms: number): Promise<void> {
    try {
      await this.send("QUIT", ms);
      const until = Date.now() + ms;
      for (;;) await this.reply(until - Date.now());
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
    this.close();
  }

  close(): void {
    this.#lose(new Lost("closed", "we closed the connection"));
  }

  async #opened(socket: Socket, ms: number, refused: string, late: string): Promise<void> {
    const opening = socket.opened.catch(() => this.#lose(new Lost("closed", refused)));
    await this.#before(opening, ms, late);
    if (this.#lost) throw this.#lost;
  }

  /** Reads once, unless a read is under way. Never rejects. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce();
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    try {
      const { done, value } = await this.#reader.read();
      if (done) this.#lose(new Lost("closed", "the server closed the connection"));
      else this.#hear(value);
    } catch {
      this.#lose(new Lost("closed", "the connection broke"));
    }
    this.#reading = null;
  }

  /** A server that stopped reading said why before that, as a rule. Never rejects. */
  async #write(bytes: Uint8Array): Promise<"written"> {
    try {
      await this.#writer.write(bytes);
    } catch {
      await Promise.race([this.#read(), scheduler.wait(LAST_WORDS_MS)]);
      if (this.#arrived.length === 0) this.#lose(new Lost("closed", "the connection broke"));
    }
    return "written";
  }

  #hear(bytes: Uint8Array): void {
    try {
      this.#replies.push(bytes, (reply) => this.#arrived.push(reply));
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      this.#lose(new Lost("unreadable", error.message));
    }
  }

  /**
   * Throws Lost when `step` is not over after `ms`, or the connection is, with no reply left to
   * take.
   */
  async #before<T>(step: Promise<T>, ms: number, late: string): Promise<T | undefined> {
    if (this.#lost) throw this.#lost;
    const { promise: expiry, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      this.#lose(new Lost("timeout", late));
      resolve(undefined);
    }, ms);
    const first = await Promise.race([step, expiry]);
    clearTimeout(timer);
    if (this.#lost && this.#arrived.length === 0) throw this.#lost;
    return first;
  }

  #lose(lost: Lost): void {
    if (this.#lost) return;
    this.#lost = lost;
    // None of these is awaited: a socket in the middle of a handshake, or with bytes that nobody
    // reads, never says that it is closed.
    for (const end of [
      () => this.#reader.cancel(),
      () => this.#writer.abort(),
      () => this.#socket.close(),
    ])
      void ignoring(end);
  }
}

function attached(
  socket: Socket,
): [Socket, ReadableStreamDefaultReader<Uint8Array>, WritableStreamDefaultWriter<Uint8Array>] {
  // How it ends is seen by whoever reads or writes.
  void ignoring(() => socket.closed);
  void ignoring(() => socket.opened);
  const reader = (socket.readable as ReadableStream<Uint8Array>).getReader();
  const writer = (socket.writable as WritableStream<Uint8Array>).getWriter();
  void ignoring(() => reader.closed);
  void ignoring(() => writer.closed);
  return [socket, reader, writer];
}

async function ignoring(end: () => Promise<unknown>): Promise<void> {
  try {
    await end();
  } catch {
    // Nothing is left to be saved.
  }
}
