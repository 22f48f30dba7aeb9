// One connection to a mail server as a client sees it: write, await one reply before a deadline,
// learn that it is lost. Deadlines are absolute, so that a server that drips bytes gains nothing.
import type { Socket } from "node:net";
import { type Reply, ReplyReader, UnreadableReply } from "./smtp-reply.ts";

/** The conversation is over without the reply that was awaited. */
export class Lost extends Error {
  readonly how: "closed" | "timeout" | "unreadable";

  constructor(how: "closed" | "timeout" | "unreadable", detail: string) {
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
}

export const NO_CAPABILITIES: Capabilities = {
  pipelining: false,
  size: false,
  eightBitMime: false,
  smtpUtf8: false,
  startTls: false,
};

interface Waiter {
  resolve(reply: Reply): void;
  reject(lost: Lost): void;
}

export class SmtpConnection {
  readonly host: string;
  capabilities = NO_CAPABILITIES;
  /** The TLS version in use. */
  tls: string | null = null;
  /**
   * A handshake failed before, and this is the second try without: a refusal for want of TLS is
   * then a failure of TLS.
   */
  tlsFailed = false;
  /** Transactions begun on it. */
  transactions = 0;
  /** The last transaction was refused half way: RSET comes before the next. */
  unfinished = false;
  #socket: Socket;
  #reader = new ReplyReader();
  #early: Reply[] = [];
  #waiter: Waiter | null = null;
  #flushing: (() => void) | null = null;
  #lost: Lost | null = null;
  #resting = false;
  #closed = false;
  #afterwards: () => void = () => {};

  constructor(socket: Socket, host: string) {
    this.host = host;
    this.#socket = socket;
    this.#listen(socket);
  }

  /** `then` is called once, when the socket is gone. */
  whenClosed(then: () => void): void {
    if (this.#closed) then();
    else this.#afterwards = then;
  }

  get lost(): boolean {
    return this.#lost !== null;
  }

  /** The next reply. Throws Lost, and is lost, when none has come after `ms`. */
  reply(ms: number): Promise<Reply> {
    const early = this.#early.shift();
    if (early) return Promise.resolve(early);
    return this.#before(ms, "no answer in time", (resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  /** A reply that came before anyone waited for it. */
  takeEarly(): Reply | undefined {
    return this.#early.shift();
  }

  send(...pieces: readonly (string | Buffer)[]): void {
    if (this.#lost) return;
    if (pieces.length > 1) this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    if (pieces.length > 1) this.#socket.uncork();
  }

  /**
   * Writes, and waits until the bytes went out or an early reply makes the rest pointless. Throws
   * Lost.
   */
  flush(bytes: Buffer, ms: number): Promise<void> {
    return this.#before(ms, "the server stopped reading", (resolve, reject) => {
      this.#waiter = { resolve: () => {}, reject };
      this.#flushing = resolve;
      this.#socket.write(bytes, (error) => {
        if (!error) resolve();
      });
    });
  }

  command(line: string, ms: number): Promise<Reply> {
    this.send(`${line}\r\n`);
    return this.reply(ms);
  }

  /** Idle: whatever the server says now (as a rule 421) ends the connection. */
  set resting(resting: boolean) {
    this.#resting = resting;
    if (resting && this.#early.length > 0)
      this.#lose(new Lost("unreadable", "an answer that nobody asked for"));
  }

  /**
   * Gives the socket away for TLS. What the server said in the clear behind its reply is forgotten:
   * an attacker may have put it there.
   */
  detach(): Socket {
    const socket = this.#socket;
    socket
      .off("data", this.#onData)
      .off("error", this.#onError)
      .off("end", this.#onEnd)
      .off("close", this.#onClose);
    // From here on TLS reports what goes wrong.
    return socket.on("error", () => {}).pause();
  }

  attach(socket: Socket, tls: string | null): void {
    this.tls = tls;
    this.#socket = socket;
    this.#reader = new ReplyReader();
    this.#early = [];
    this.#listen(socket);
  }

  /** Says goodbye, and is closed soon whatever the server does. */
  quit(ms: number): void {
    if (this.#lost) return;
    this.#lost = new Lost("closed", "we closed the connection");
    this.#socket.end("QUIT\r\n");
    const timer = setTimeout(() => this.#socket.destroy(), ms);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  destroy(): void {
    this.#lose(new Lost("closed", "we closed the connection"));
  }

  #before<T>(
    ms: number,
    late: string,
    executor: (resolve: (value: T) => void, reject: (lost: Lost) => void) => void,
  ): Promise<T> {
    if (this.#lost) return Promise.reject(this.#lost);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => this.#lose(new Lost("timeout", late)), ms);
    const settle = (): void => {
      clearTimeout(timer);
      this.#waiter = null;
      this.#flushing = null;
    };
    executor(
      (value) => {
        settle();
        resolve(value);
      },
      (lost) => {
        settle();
        reject(lost);
      },
    );
    return promise;
  }

  #listen(socket: Socket): void {
    socket
      .on("data", this.#onData)
      .on("error", this.#onError)
      .on("end", this.#onEnd)
      .on("close", this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => this.#read(chunk);

  readonly #onError = (error: NodeJS.ErrnoException): void =>
    this.#lose(new Lost("closed", error.code ?? "the connection broke"));

  readonly #onEnd = (): void => this.#lose(new Lost("closed", "the server closed the connection"));

  readonly #onClose = (): void => {
    this.#lose(new Lost("closed", "the connection was closed"));
    this.#closed = true;
    this.#afterwards();
  };

  #read(chunk: Buffer): void {
    if (this.#lost) return;
    if (this.#resting)
      return this.#lose(new Lost("closed", "the server ended the idle connection"));
    let unreadable: UnreadableReply | null = null;
    try {
      this.#reader.push(chunk, (reply) => this.#early.push(reply));
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      unreadable = error;
    }
    if (this.#early.length > 0) {
      if (this.#flushing) this.#flushing();
      else if (this.#waiter) this.#waiter.resolve(this.#early.shift()!);
    }
    if (unreadable) this.#lose(new Lost("unreadable", unreadable.message));
  }

  #lose(lost: Lost): void {
    if (this.#lost) return;
    this.#lost = lost;
    this.#socket.destroy();
    this.#waiter?.reject(lost);
  }
}
