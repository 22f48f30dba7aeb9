// One session of a mail server for tests, tools and the local stack (RFC 5321, 3207, 1870, 2920,
// 6531). The session reads, checks the order of commands and proposes a reply. A responder decides
// each reply. The library smtp-server does not fit, because it does not send every reply byte for
// byte as the responder decides.
import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { BrokenClient, SmtpReader } from "./smtp-reader.ts";

const RECIPIENTS_MAX = 1000;
/** Matches the path of MAIL or RCPT, with its quoted parts, and the parameters. */
const PATH = /^\s*(FROM|TO):\s*<((?:"(?:[^"\\]|\\.)*"|[^<>"])*)>(.*)$/i;
const DIFFICULT = /^[45]/;
const TOO_LARGE = "552 5.3.4 Larger than this server takes";
const NOTHING = { line: "", address: "", content: Buffer.alloc(0) };

export interface SmtpOptions {
  readonly name: string;
  /** The keywords in the reply to EHLO. The reply has no STARTTLS after TLS has begun. */
  readonly extensions: readonly string[];
  readonly messageBytes?: number;
  /** Null: the server does not know STARTTLS. */
  readonly secureContext?: SecureContext | null;
  /**
   * Milliseconds after which a silent client is disconnected. Absent: a client may be silent for
   * any time.
   */
  readonly idleMs?: number;
}

export interface SmtpStep {
  /**
   * The step that needs a reply: `greeting`, a command's verb in lower case, or `end` after a whole
   * message.
   */
  readonly verb: string;
  readonly line: string;
  /** The address of MAIL or RCPT, if it is well formed. */
  readonly address: string;
  /**
   * The sender and the recipients. At `end`, they belong to the message that was just read. Before
   * that, they belong to the open transaction.
   */
  readonly from: string | null;
  readonly to: readonly string[];
  /** The message. It is set only at `end`, with its dots still doubled. */
  readonly content: Buffer;
  /** The reply of a server that accepts everything except commands in a wrong order. */
  readonly usual: string;
  readonly isRefused: boolean;
}

/**
 * Returns the reply without its last line end. Null: the responder has already replied or ended the
 * session.
 */
export type SmtpResponder = (step: SmtpStep) => string | null | Promise<string | null>;

export class SmtpSession {
  /** The open transaction's sender and recipients. A responder may change them. */
  from: string | null = null;
  to: string[] = [];
  readonly #options: SmtpOptions;
  readonly #answer: SmtpResponder;
  #socket: Socket;
  #reader: SmtpReader;
  /** Replies that are sent together (RFC 2920 §3.2). */
  #replies = "";
  #greeted = false;
  #isOver = false;

  constructor(
    socket: Socket,
    options: SmtpOptions,
    behave: (session: SmtpSession) => SmtpResponder,
  ) {
    this.#options = options;
    this.#socket = socket;
    this.#reader = this.#attach(socket);
    this.#answer = behave(this);
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? "";
  }

  /** The version of TLS. Null: the connection has no TLS. */
  get tls(): string | null {
    return this.#socket instanceof TLSSocket ? this.#socket.getProtocol() : null;
  }

  /** True: the connection is closed or is being closed. */
  get isOver(): boolean {
    return this.#isOver || this.#socket.destroyed;
  }

  /** Sends text immediately. */
  write(text: string): void {
    const gathered = this.#replies + text;
    this.#replies = "";
    if (gathered !== "" && this.#socket.writable) this.#socket.write(gathered);
  }

  /** Sends this reply, then ends the connection. */
  end(reply: string): null {
    this.write(`${reply}\r\n`);
    this.#isOver = true;
    this.#socket.end();
    return null;
  }

  /** Ends the connection without a reply. */
  drop(): null {
    this.write("");
    this.#isOver = true;
    this.#socket.destroy();
    return null;
  }

  /** Resolves when the session has ended. */
  async run(): Promise<void> {
    try {
      await this.#step("greeting", `220 ${this.#options.name} ESMTP`);
      while (!this.isOver) {
        const line = await this.#line();
        if (line === null) break;
        await this.#command(line);
      }
      this.#socket.end();
    } catch (error) {
      // An error of a session is reported only to its client. Other sessions continue.
      this.end(
        error instanceof BrokenClient
          ? `500 5.5.2 ${error.message}`
          : `451 4.3.0 ${(error as Error).message.replace(/\s+/g, " ")}`,
      );
    }
  }

  #attach(socket: Socket): SmtpReader {
    socket.setNoDelay(true);
    const { idleMs } = this.#options;
    if (idleMs !== undefined) socket.setTimeout(idleMs, () => this.end("421 4.4.2 idle too long"));
    // A client may disconnect at any time. The reader notices this.
    socket.on("error", () => undefined);
    return new SmtpReader(socket);
  }

  async #line(): Promise<string | null> {
    for (;;) {
      const line = this.#reader.line();
      if (line !== null) return line;
      this.write("");
      if (!(await this.#reader.more())) return null;
    }
  }

  async #command(line: string): Promise<void> {
    const [, word = "", argument = ""] = /^([A-Za-z]*)(.*)$/s.exec(line) ?? [];
    const verb = word.toLowerCase();
    const [, preposition = "", address = "", parameters = ""] = PATH.exec(argument) ?? [];
    const isPath = preposition.toLowerCase() === (verb === "mail" ? "from" : "to");
    const usual = this.#usual(verb, isPath, address, parameters);
    const reply = await this.#step(verb, usual, { line, address });
    if (reply === null) return;
    const isPositive = reply.startsWith("2");
    if (verb === "data" && reply.startsWith("354")) await this.#message();
    else if (verb === "quit") this.end(reply);
    else if (isPositive && verb === "starttls") this.#encrypt();
    else if (isPositive) this.#advance(verb, address);
  }

  /**
   * Lets the responder decide a step. Returns the reply to send. Null: the responder has already
   * replied.
   */
  async #step(verb: string, usual: string, about: Partial<SmtpStep> = {}): Promise<string | null> {
    const isRefused = DIFFICULT.test(usual);
    const { from, to } = this;
    const given = this.#answer({ ...NOTHING, from, to, ...about, verb, usual, isRefused });
    const isLate = typeof given === "object" && given !== null;
    if (isLate) this.write("");
    const reply = isLate ? await given : given;
    if (reply === null || this.isOver) return null;
    if (verb === "starttls" && reply.startsWith("2")) this.#reader.detach();
    if (verb !== "quit") this.#replies += `${reply}\r\n`;
    return reply;
  }

  #usual(verb: string, isPath: boolean, address: string, parameters: string): string {
    switch (verb) {
      case "ehlo":
        return this.#offer();
      case "helo":
        return `250 ${this.#options.name}`;
      case "starttls":
        if (!this.#options.secureContext) break;
        return this.tls === null ? "220 2.0.0 Go ahead" : "503 5.5.1 TLS is on already";
      case "mail":
        return this.#usualToMail(isPath, parameters);
      case "rcpt":
        if (this.from === null) return "503 5.5.1 MAIL first";
        if (!isPath || address === "") return "501 5.5.4 Not RCPT TO:<address>";
        if (this.to.length >= RECIPIENTS_MAX) return "452 4.5.3 Too many recipients";
        return "250 2.1.5 Recipient OK";
      case "data":
        return this.to.length === 0 ? "503 5.5.1 RCPT first" : "354 End with a lone dot";
      case "rset":
        return "250 2.0.0 Forgotten";
      case "noop":
        return "250 2.0.0 OK";
      case "help":
        return "214 2.0.0 RFC 5321";
      case "vrfy":
        return "252 2.1.5 Every address is accepted";
      case "quit":
        return `221 2.0.0 ${this.#options.name} closes`;
    }
    return "500 5.5.2 Unknown command";
  }

  #usualToMail(isPath: boolean, parameters: string): string {
    if (!this.#greeted) return "503 5.5.1 EHLO first";
    if (this.from !== null) return "503 5.5.1 There is a sender already";
    if (!isPath) return "501 5.5.4 Not MAIL FROM:<address>";
    const size = Number(/\sSIZE=([0-9]{1,15})(?:\s|$)/i.exec(parameters)?.[1] ?? 0);
    return size > this.#most ? TOO_LARGE : "250 2.1.0 Sender OK";
  }

  #offer(): string {
    const { name, extensions } = this.#options;
    const lines = [name, ...extensions.filter((one) => one !== "STARTTLS" || this.tls === null)];
    const last = lines.length - 1;
    return lines.map((line, at) => `250${at === last ? " " : "-"}${line}`).join("\r\n");
  }

  #advance(verb: string, address: string): void {
    if (verb === "rcpt") this.to.push(address);
    else if (verb === "mail" || verb === "rset" || verb === "ehlo" || verb === "helo") {
      this.from = verb === "mail" ? address : null;
      this.to = [];
      this.#greeted ||= verb !== "rset";
    }
  }

  /** Reads a message. The transaction ends when the responder has answered it. */
  async #message(): Promise<void> {
    this.write("");
    const content = await this.#reader.content(this.#most);
    if (content === null) return void (this.#isOver = true);
    const { from, to } = this;
    this.from = null;
    this.to = [];
    if (content === "too_large") await this.#step("end", TOO_LARGE, { from, to });
    else await this.#step("end", "250 2.0.0 Taken", { from, to, content });
  }

  #encrypt(): void {
    this.write("");
    this.#socket.setTimeout(0);
    this.#socket = new TLSSocket(this.#socket, {
      isServer: true,
      ...(this.#options.secureContext && { secureContext: this.#options.secureContext }),
    });
    this.#reader = this.#attach(this.#socket);
    this.#greeted = false;
    this.from = null;
    this.to = [];
  }

  get #most(): number {
    return this.#options.messageBytes ?? Number.POSITIVE_INFINITY;
  }
}
