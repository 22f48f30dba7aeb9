// One connection to a mail server as a client sees it: sends commands, waits for one reply until a
// deadline, goes over to TLS, notices that the connection is lost. It speaks over a transport of
// four methods, which is a Node socket in the gateway and a workerd socket in the worker. Deadlines
// are absolute, so that a server that drips bytes gains nothing.
import { Buffer } from "node:buffer";
import { type Reply, ReplyReader } from "./smtp-reply.ts";

/**
 * The bytes of a connection. Errors that `read`, `write` and `upgrade` reject with say in their
 * message how the connection ended.
 */
export interface SmtpTransport {
  /** Resolves when the bytes went out: the caller's backpressure. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Resolves with the next bytes. The connection calls it only after the last one resolved. */
  read(): Promise<Uint8Array>;
  /** Goes over to TLS, forgetting unread bytes. Resolves with the TLS version. */
  upgrade(): Promise<string | null>;
  close(): void;
}

/** Milliseconds that each step may take. Both users stay below RFC 5321 §4.5.3.2. */
export interface SmtpTimeouts {
  /** TCP, for each address. */
  readonly connect: number;
  readonly greeting: number;
  /** The reply to a command, and a TLS handshake. */
  readonly command: number;
  /** The reply to DATA. */
  readonly data: number;
  /** Each 64 KB of a message on its way out. */
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

/** A server's refusal of a sender. */
export interface RefusedSender {
  /** The domain of the return-path; empty: the null sender. */
  readonly domain: string;
  readonly code: number;
  readonly enhanced: string | null;
}

/** The conversation ended without the reply that was awaited. */
export class Lost extends Error {
  readonly how: "closed" | "timeout" | "unreadable";

  constructor(how: Lost["how"], detail: string) {
    super(detail);
    this.how = how;
  }
}

/** After a failed write the client listens so long for a reply: it often says why. */
const LAST_REPLY_MS = 500;

export class SmtpConnection {
  readonly host: string;
  capabilities = NO_CAPABILITIES;
  /** The TLS version in use; null: none. */
  tls: string | null;
  /** Number of transactions begun. */
  transactions = 0;
  /**
   * A transaction was begun, and no 2xx to its final dot has ended it: RSET comes before the next
   * MAIL. Some servers keep a transaction open when they refuse its message.
   */
  unfinished = false;
  /** The final dot has gone out, and its reply has not come. */
  awaitsVerdict = false;
  /** The refusal of the first MAIL. It can't be about what the connection carried before. */
  refusedSender: RefusedSender | null = null;
  readonly #transport: SmtpTransport;
  #reader = new ReplyReader();
  /** Replies that arrived and were not taken yet. */
  #replies: Reply[] = [];
  #isReading = false;
  #resting = false;
  /** Looks again whether the step that is awaited is over. */
  #recheck: (() => void) | null = null;
  #lost: Lost | null = null;

  constructor(transport: SmtpTransport, host: string, tls: string | null) {
    this.#transport = transport;
    this.host = host;
    this.tls = tls;
  }

  get lost(): boolean {
    return this.#lost !== null;
  }

  /** Resolves with the next reply. Throws Lost, and is lost, when none has come after `ms`. */
  reply(ms: number): Promise<Reply> {
    return this.#wait(ms, "no answer in time", true, () => this.#replies.shift());
  }

  /** Takes a reply that came before the client waited for it. */
  takeEarly(): Reply | undefined {
    return this.#replies.shift();
  }

  /** Sends without waiting. A write that fails shows in the reply that is awaited next. */
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
   * Writes, and waits until the bytes went out or an early reply makes the rest pointless. Throws
   * Lost.
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

  /** Waits for a step of the transport. Throws Lost when it fails or is not over after `ms`. */
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
   * Goes over to TLS after a positive reply to STARTTLS (RFC 3207). Text in the clear behind that
   * reply may come from an attacker: it is dropped, and where `strict`, it ends the connection.
   * Throws Lost.
   */
  async upgrade(strict: boolean, ms: number): Promise<void> {
    if (strict && (this.#replies.length > 0 || this.#reader.midway))
      this.#lose(new Lost("unreadable", "an answer in the clear behind STARTTLS"));
    this.#replies = [];
    if (this.#lost) throw this.#lost;
    this.#reader = new ReplyReader();
    this.capabilities = NO_CAPABILITIES;
    const upgraded = this.#transport.upgrade();
    this.tls = await this.within(upgraded, ms, "the TLS handshake took too long");
  }

  /** While the connection rests, anything the server sends (as a rule 421) ends it. */
  set resting(resting: boolean) {
    this.#resting = resting;
    if (!resting) return;
    if (this.#replies.length > 0) this.#lose(new Lost("unreadable", "an unsolicited reply"));
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
      if (!(error instanceof Lost)) throw error;
    }
    this.close();
  }

  close(): void {
    this.#lose(new Lost("closed", "we closed the connection"));
  }

  /**
   * Resolves when `take` gives a value; it is asked again after each event of the connection.
   * Throws Lost when the connection is lost and `take` gives none.
   */
  #wait<T>(ms: number, late: string, reads: boolean, take: () => T | undefined): Promise<T> {
    const taken = take();
    if (taken !== undefined) return Promise.resolve(taken);
    if (this.#lost) return Promise.reject(this.#lost);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => this.#lose(new Lost("timeout", late)), ms);
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

  /** Reads only while a step waits, or at rest: a read under way would take bytes from TLS. */
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
      return this.#lose(new Lost("closed", "the server ended the idle connection"));
    const unreadable = this.#reader.push(bytes, (reply) => this.#replies.push(reply));
    if (unreadable !== null) this.#lose(new Lost("unreadable", unreadable));
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
    this.#lose(new Lost("closed", error instanceof Error ? error.message : String(error)));
  }

  #lose(lost: Lost): void {
    if (this.#lost) return;
    this.#lost = lost;
    this.#transport.close();
    this.#recheck?.();
  }
}
