// The client's side of one connection to a mail server: sends commands, waits for each reply until
// a deadline, upgrades to TLS, notices a lost connection. It uses a transport of four methods: a
// Node socket in the gateway, a workerd socket in the worker. Deadlines are absolute, so a server
// that sends single bytes gains no time.
import { Buffer } from "node:buffer";
import { type Reply, ReplyReader } from "./smtp-reply.ts";

/**
 * The bytes of a connection. When `read`, `write` or `upgrade` rejects, the error's message says
 * how the connection ended.
 */
export interface SmtpTransport {
  /** Resolves when the bytes have gone out, which gives the caller backpressure. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Resolves with the next bytes. Called again only after the previous call has resolved. */
  read(): Promise<Uint8Array>;
  /** Upgrades to TLS and drops unread bytes. Resolves with the TLS version. */
  upgrade(): Promise<string | null>;
  close(): void;
}

/**
 * Milliseconds that each step may take. The gateway and the worker stay below RFC 5321 §4.5.3.2.
 */
export interface SmtpTimeouts {
  /** The TCP connection, for each address. */
  readonly connect: number;
  readonly greeting: number;
  /** The reply to a command, and a TLS handshake. */
  readonly command: number;
  /** The reply to DATA. */
  readonly data: number;
  /** Each 64 KB of a message that is sent. */
  readonly block: number;
  /** The reply to the final dot. */
  readonly final: number;
  /** The reply to QUIT. */
  readonly quit: number;
}

/** Extensions that the server announced in its EHLO reply. */
export interface Capabilities {
  readonly pipelining: boolean;
  readonly size: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  readonly startTls: boolean;
  /** Names of SASL mechanisms, in capitals. */
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

/** A server's refusal of MAIL. */
export interface RefusedSender {
  /** The domain of the return-path; empty: the sender is `<>`. */
  readonly domain: string;
  readonly code: number;
  readonly enhanced: string | null;
}

/** The conversation ended before the reply that was awaited. */
export class LostConnection extends Error {
  readonly how: "closed" | "timeout" | "unreadable";

  constructor(how: LostConnection["how"], detail: string) {
    super(detail);
    this.how = how;
  }
}

/** The client listens for a reply for this long after a failed write. The reply often says why. */
const LAST_REPLY_MS = 500;

export class SmtpConnection {
  readonly host: string;
  capabilities = NO_CAPABILITIES;
  /** The TLS version in use; null: none. */
  tls: string | null;
  /** Number of transactions that have begun. */
  transactions = 0;
  /**
   * True: the last transaction did not end by a 2xx to its final dot, so RSET comes before the next
   * MAIL. Some servers keep a transaction open after they refused its message.
   */
  unfinished = false;
  /** True: the final dot has gone out, and its reply has not come. */
  awaitsVerdict = false;
  /** The refusal of the first MAIL. Nothing that the connection carried can be its reason. */
  refusedSender: RefusedSender | null = null;
  readonly #transport: SmtpTransport;
  #reader = new ReplyReader();
  /** Replies that have arrived and were not taken yet. */
  #replies: Reply[] = [];
  #isReading = false;
  #resting = false;
  /** Checks whether the awaited step is over. */
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
   * Resolves with the next reply. If none has come after `ms`, the connection is lost. Throws Lost.
   */
  reply(ms: number): Promise<Reply> {
    return this.#wait(ms, "no answer in time", true, () => this.#replies.shift());
  }

  /** Takes a reply that came before the client waited for one. */
  takeEarly(): Reply | undefined {
    return this.#replies.shift();
  }

  /** Sends without waiting. If the write fails, the next awaited reply fails. */
  send(...pieces: readonly (string | Uint8Array)[]): void {
    void this.#write(
      pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
    );
  }

  command(line: string, ms: number): Promise<Reply> {
    this.send(`${line}\r\n`);
    return this.reply(ms);
  }

  /** Writes, and waits until the bytes have gone out or a reply comes early. Throws Lost. */
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

  /** Waits for a step of the transport. Throws Lost if it fails or takes longer than `ms`. */
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
   * Upgrades to TLS after a positive reply to STARTTLS (RFC 3207). Plain text after that reply may
   * come from an attacker: it is dropped, and if `strict`, it ends the connection. Throws Lost.
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

  /** While the connection is idle, anything that the server sends (usually 421) ends it. */
  set resting(resting: boolean) {
    this.#resting = resting;
    if (!resting) return;
    if (this.#replies.length > 0)
      this.#lose(new LostConnection("unreadable", "an unsolicited reply"));
    else void this.#readReplies();
  }

  /** Sends QUIT and waits for its reply, `ms` at most. Never throws. */
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
    this.#lose(new LostConnection("closed", "we closed the connection"));
  }

  /**
   * Resolves when `take` returns a value. `take` is called again after each event of the
   * connection. Throws Lost if the connection is lost and `take` still returns none.
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
   * Reads only while a step waits or the connection is idle, because a read would take bytes from
   * TLS.
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
