// The client's side of one SMTP connection. It sends commands, waits for each reply until a
// deadline, upgrades to TLS, and notices when the connection is lost. Its transport is a Node
// socket in the gateway, and a workerd socket in the worker. A deadline is a fixed time, so a
// server can't extend it by sending single bytes.
import { Buffer } from "node:buffer";
import { type Reply, ReplyReader } from "./smtp-reply.ts";

/**
 * Reads and writes the bytes of a connection. If `read`, `write` or `upgrade` rejects, the error's
 * text says how the connection ended.
 */
export interface SmtpTransport {
  /** Resolves when the bytes have gone out, so that the caller can wait before it sends more. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Resolves with the next bytes. The caller waits for one read before it starts the next. */
  read(): Promise<Uint8Array>;
  /** Begins TLS, and drops bytes that were not read before. Resolves with the TLS version. */
  upgrade(): Promise<string | null>;
  close(): void;
}

/**
 * Milliseconds to wait at each step. In the gateway and the worker, most of these times are shorter
 * than RFC 5321 §4.5.3.2 requires.
 */
export interface SmtpTimeouts {
  /** Time to connect by TCP, for each address. */
  readonly connect: number;
  readonly greeting: number;
  /** Time for the reply to a command, and for a TLS handshake. */
  readonly command: number;
  /** Time for the reply to DATA. */
  readonly data: number;
  /** Time to send each 64 KB of a message. */
  readonly block: number;
  /** Time for the reply to the final dot. */
  readonly final: number;
  /** Time for the reply to QUIT. */
  readonly quit: number;
}

/** The extensions that the server announced in its reply to EHLO. */
export interface Capabilities {
  readonly pipelining: boolean;
  readonly size: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  readonly startTls: boolean;
  /** The names of the SASL mechanisms, in capitals. */
  readonly auth: ReadonlySet<string>;
}

export const NO_CAPABILITIES: Capabilities = {
  pipelining: false,
  size: false,
  eightBitMime: false,
  smtpUtf8: false,
  startTls: false,
  auth: new Set(),
};

/** The reply by which a server refused MAIL. */
export interface RefusedSender {
  /** The domain of the return-path. It is empty if the sender is `<>`. */
  readonly domain: string;
  readonly code: number;
  readonly enhanced: string | null;
}

/** Thrown if the connection ends before the reply that the client waits for. */
export class LostConnection extends Error {
  /** `own`: this client closed the connection. */
  readonly how: "closed" | "timeout" | "unreadable" | "own";

  constructor(how: LostConnection["how"], detail: string) {
    super(detail);
    this.how = how;
  }
}

/**
 * Milliseconds for which the client still waits for a reply after a failed write. Such a reply
 * often gives the reason.
 */
const LAST_REPLY_MS = 500;

export class SmtpConnection {
  readonly host: string;
  capabilities = NO_CAPABILITIES;
  /** The TLS version in use. Null: the connection has no TLS. */
  tls: string | null;
  /** Number of transactions that have begun on this connection. */
  transactions = 0;
  /**
   * True: the last transaction did not end with a 2xx to its final dot, so RSET must precede the
   * next MAIL. Some servers keep a transaction open after they refused its message.
   */
  unfinished = false;
  /** True: the final dot has gone out, and the server's reply to it has not come. */
  awaitsVerdict = false;
  /** The refusal of the connection's first MAIL. Earlier messages can't be the reason for it. */
  refusedSender: RefusedSender | null = null;
  readonly #transport: SmtpTransport;
  #reader = new ReplyReader();
  /** Replies that have arrived, but that no step has taken yet. */
  #replies: Reply[] = [];
  #isReading = false;
  #resting = false;
  /** Checks, after each event of the connection, whether the waiting step can continue. */
  #recheck: (() => void) | null = null;
  #lost: LostConnection | null = null;

  constructor(transport: SmtpTransport, host: string, tls: string | null) {
    this.#transport = transport;
    this.host = host;
    this.tls = tls;
  }

  get lost(): boolean {
    return this.#lost !== null;
  }

  /**
   * Resolves with the next reply. If none comes within `ms` milliseconds, the connection is lost.
   * Throws LostConnection.
   */
  reply(ms: number): Promise<Reply> {
    return this.#wait(ms, "no answer in time", true, () => this.#replies.shift());
  }

  /** Returns a reply that came before the client waited for it, or undefined. */
  takeEarly(): Reply | undefined {
    return this.#replies.shift();
  }

  /** Sends without waiting. If the write fails, the wait for the next reply fails. */
  send(...pieces: readonly (string | Uint8Array)[]): void {
    void this.#write(
      pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
    );
  }

  command(line: string, ms: number): Promise<Reply> {
    this.send(`${line}\r\n`);
    return this.reply(ms);
  }

  /**
   * Writes, and waits until the bytes have gone out or an early reply comes. Throws LostConnection.
   */
  async flush(bytes: Uint8Array, ms: number): Promise<void> {
    let isOut = false;
    const write = async (): Promise<void> => {
      await this.#write([bytes]);
      isOut = true;
      this.#recheck?.();
    };
    void write();
    await this.#wait(ms, "the server stopped reading", true, () =>
      isOut || this.#replies.length > 0 ? true : undefined,
    );
  }

  /**
   * Waits for a step of the transport. Throws LostConnection if the step fails or takes longer than
   * `ms` milliseconds.
   */
  async within<T>(step: Promise<T>, ms: number, late: string): Promise<T> {
    let result: { readonly value: T } | undefined;
    const finish = async (): Promise<void> => {
      try {
        result = { value: await step };
        this.#recheck?.();
      } catch (error) {
        this.#fail(error);
      }
    };
    void finish();
    return (await this.#wait(ms, late, false, () => result)).value;
  }

  /**
   * Begins TLS after a positive reply to STARTTLS (RFC 3207). Unencrypted data after that reply may
   * come from an attacker, so it is dropped. If `strict` is true, such data also ends the
   * connection. Throws LostConnection.
   */
  async upgrade(strict: boolean, ms: number): Promise<void> {
    if (strict && (this.#replies.length > 0 || this.#reader.midway))
      this.#lose(new LostConnection("unreadable", "unencrypted data after the reply to STARTTLS"));
    this.#replies = [];
    if (this.#lost) throw this.#lost;
    this.#reader = new ReplyReader();
    this.capabilities = NO_CAPABILITIES;
    const upgraded = this.#transport.upgrade();
    this.tls = await this.within(upgraded, ms, "the TLS handshake took too long");
  }

  /** While the connection is idle, any data from the server (usually a 421) ends the connection. */
  set resting(resting: boolean) {
    this.#resting = resting;
    if (!resting) return;
    if (this.#replies.length > 0)
      this.#lose(new LostConnection("unreadable", "an unsolicited reply"));
    else void this.#readReplies();
  }

  /** Sends QUIT, and waits up to `ms` milliseconds for the reply. Never throws. */
  async quit(ms: number): Promise<void> {
    this.#resting = false;
    this.send("QUIT\r\n");
    try {
      await this.#wait(ms, "no answer to QUIT", true, () =>
        this.#replies.splice(0).find(({ code }) => code === 221),
      );
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
    }
    this.close();
  }

  close(): void {
    this.#lose(new LostConnection("own", "we closed the connection"));
  }

  /**
   * Resolves with the first value that `take` returns. `take` is called at once and after each
   * event of the connection. Throws LostConnection if the connection is lost and `take` has
   * returned nothing.
   */
  #wait<T>(ms: number, late: string, reads: boolean, take: () => T | undefined): Promise<T> {
    const taken = take();
    if (taken !== undefined) return Promise.resolve(taken);
    if (this.#lost) return Promise.reject(this.#lost);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => this.#lose(new LostConnection("timeout", late)), ms);
    this.#recheck = (): void => {
      const value = take();
      if (value === undefined && !this.#lost) return;
      clearTimeout(timer);
      this.#recheck = null;
      if (value === undefined) reject(this.#lost!);
      else resolve(value);
    };
    if (reads) void this.#readReplies();
    return promise;
  }

  /**
   * Reads replies while a step waits or the connection is idle. At other times, a read could take
   * bytes that belong to the TLS handshake.
   */
  async #readReplies(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (!this.#lost && (this.#recheck || this.#resting))
        this.#hear(await this.#transport.read());
    } catch (error) {
      this.#fail(error);
    }
    this.#isReading = false;
  }

  #hear(bytes: Uint8Array): void {
    if (this.#resting)
      return this.#lose(new LostConnection("closed", "the server ended the idle connection"));
    const unreadable = this.#reader.push(bytes, (reply) => this.#replies.push(reply));
    if (unreadable !== null) this.#lose(new LostConnection("unreadable", unreadable));
    else this.#recheck?.();
  }

  async #write(pieces: readonly Uint8Array[]): Promise<void> {
    if (this.#lost) return;
    try {
      await this.#transport.write(pieces);
    } catch (error) {
      await new Promise((resolve) => {
        setTimeout(resolve, LAST_REPLY_MS);
      });
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#lose(
      new LostConnection("closed", error instanceof Error ? error.message : String(error)),
    );
  }

  #lose(lost: LostConnection): void {
    if (this.#lost) return;
    this.#lost = lost;
    this.#transport.close();
    this.#recheck?.();
  }
}
