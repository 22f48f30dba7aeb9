// The inbox's mail server: takes mail for every domain, without authentication, over plain text or
// STARTTLS (RFC 5321, 3207, 1870, 2920, 6531). It is written by hand, because a rule's reply has
// to leave byte for byte as it was written, at DATA too, which smtp-server does not allow.
import { once } from "node:events";
import * as net from "node:net";
import { type SecureContext, TLSSocket, createSecureContext } from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { headingsOf } from "./headings.ts";
import type { Rules, InboxStage, InboxVerdict } from "./inbox-rules.ts";
import type { MessageHead } from "./inbox-store.ts";
import { selfSigned } from "./self-signed.ts";
import { BrokenClient, SmtpReader } from "./smtp-reader.ts";

const HOST_NAME = "inbox.localhost";
const MESSAGE_BYTES = 40 * 1024 * 1024;
const RECIPIENTS = 1000;
const IDLE_MS = 5 * 60 * 1000;
/** Matches the path of MAIL or RCPT, with its quoted parts, and the parameters. */
const PATH = /^\s*<((?:"(?:[^"\\]|\\.)*"|[^<>"])*)>(.*)$/;

export interface MailSink {
  readonly rules: Rules;
  /** Resolves when the message is stored; the reply 250 waits for it. */
  keep(
    raw: Buffer,
    envelope: Omit<MessageHead, "id" | "received_at" | "size">,
  ): Promise<MessageHead>;
}

export interface SmtpReceiver {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on each of `hosts`, at one port; port 0 takes any that is free on the first. */
export async function receiveMail(
  port: number,
  sink: MailSink,
  hosts: readonly string[],
): Promise<SmtpReceiver> {
  const secureContext = createSecureContext(selfSigned([HOST_NAME, "localhost"]));
  const sockets = new Set<net.Socket>();
  const servers: net.Server[] = [];
  let chosen = port;
  for (const host of hosts) {
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      void new Session(socket, sink, secureContext, host).run();
    });
    server.listen(chosen, host);
    await once(server, "listening");
    chosen = (server.address() as net.AddressInfo).port;
    servers.push(server);
  }
  return {
    port: chosen,
    async close() {
      const closed = servers.map((server) => once(server, "close"));
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

/**
 * The state of the session after a step: it goes on, the command was refused, or the connection is
 * over.
 */
type Step = "go" | "refused" | "over";

class Session {
  readonly #sink: MailSink;
  readonly #secureContext: SecureContext;
  readonly #server: string;
  #socket: net.Socket;
  #reader: SmtpReader;
  #greeted = false;
  #mailFrom: string | null = null;
  #rcptTo: string[] = [];

  constructor(socket: net.Socket, sink: MailSink, secureContext: SecureContext, server: string) {
    this.#sink = sink;
    this.#secureContext = secureContext;
    this.#server = server;
    this.#socket = socket;
    this.#reader = this.#attach(socket);
  }

  async run(): Promise<void> {
    try {
      if ((await this.#answer("connect", [], `220 ${HOST_NAME} ESMTP Postern inbox`)) !== "go")
        return void this.#socket.end();
      while ((await this.#command()) !== "over");
      this.#socket.end();
    } catch (error) {
      // One session's fault is reported to its client and ends there; the others go on.
      const reply =
        error instanceof BrokenClient
          ? `500 5.5.2 ${error.message}`
          : `451 4.3.0 ${(error as Error).message.replace(/\s+/g, " ")}`;
      this.#socket.end(`${reply}\r\n`);
    }
  }

  #attach(socket: net.Socket): SmtpReader {
    socket.setNoDelay(true);
    socket.setTimeout(IDLE_MS, () => socket.end("421 4.4.2 idle for too long\r\n"));
    // A client that breaks off is not an error here; the reader notices the close.
    socket.on("error", () => undefined);
    return new SmtpReader(socket);
  }

  async #command(): Promise<Step> {
    const line = await this.#reader.line();
    if (line === null) return "over";
    const [, verb = "", argument = ""] = /^([A-Za-z]*)(.*)$/s.exec(line) ?? [];
    switch (verb.toUpperCase()) {
      case "EHLO":
      case "HELO":
        return this.#hello(verb.toUpperCase() === "EHLO");
      case "STARTTLS":
        return this.#startTls();
      case "MAIL":
        return this.#mail(argument);
      case "RCPT":
        return this.#rcpt(argument);
      case "DATA":
        return this.#data();
      case "RSET":
        this.#reset();
        return this.#reply("250 2.0.0 Forgotten");
      case "NOOP":
        return this.#reply("250 2.0.0 OK");
      case "HELP":
        return this.#reply("214 2.0.0 RFC 5321");
      case "VRFY":
        return this.#reply("252 2.1.5 Every address is accepted");
      case "QUIT":
        this.#reply(`221 2.0.0 ${HOST_NAME} closes`);
        return "over";
      default:
        return this.#reply("500 5.5.2 Unknown command");
    }
  }

  #hello(extended: boolean): Step {
    this.#reset();
    this.#greeted = true;
    if (!extended) return this.#reply(`250 ${HOST_NAME}`);
    const extensions = [
      "PIPELINING",
      `SIZE ${MESSAGE_BYTES}`,
      "8BITMIME",
      "SMTPUTF8",
      "ENHANCEDSTATUSCODES",
    ];
    const offered = this.#tls() === null ? [...extensions, "STARTTLS"] : extensions;
    const lines = [HOST_NAME, ...offered];
    return this.#reply(
      lines
        .map((line, index) => `250${index === lines.length - 1 ? " " : "-"}${line}`)
        .join("\r\n"),
    );
  }

  async #startTls(): Promise<Step> {
    if (this.#tls() !== null) return this.#reply("503 5.5.1 TLS is on already");
    const verdict = await this.#verdict("starttls", []);
    if (verdict.kind === "reply" && !verdict.text.startsWith("2"))
      return this.#reply(toWire(verdict.text));
    this.#reader.detach();
    this.#socket.setTimeout(0);
    this.#reply("220 2.0.0 Go ahead");
    if (verdict.kind === "drop") return "over";
    const secure = new TLSSocket(this.#socket, {
      isServer: true,
      secureContext: this.#secureContext,
    });
    this.#socket = secure;
    this.#reader = this.#attach(secure);
    this.#greeted = false;
    this.#reset();
    return "go";
  }

  async #mail(argument: string): Promise<Step> {
    const path = PATH.exec(argument.replace(/^\s+FROM:/i, ""));
    if (!this.#greeted) return this.#reply("503 5.5.1 EHLO first");
    if (this.#mailFrom !== null) return this.#reply("503 5.5.1 There is a sender already");
    if (!path || !/^\s+FROM:/i.test(argument))
      return this.#reply("501 5.5.4 Not MAIL FROM:<address>");
    const size = /\sSIZE=([0-9]{1,15})(?:\s|$)/i.exec(path[2] ?? "")?.[1];
    if (size !== undefined && Number(size) > MESSAGE_BYTES)
      return this.#reply("552 5.3.4 Larger than this server takes");
    const step = await this.#answer("mail", [], "250 2.1.0 Sender OK");
    if (step === "go") this.#mailFrom = path[1] ?? "";
    return step;
  }

  async #rcpt(argument: string): Promise<Step> {
    const path = PATH.exec(argument.replace(/^\s+TO:/i, ""));
    if (this.#mailFrom === null) return this.#reply("503 5.5.1 MAIL first");
    if (!path?.[1] || !/^\s+TO:/i.test(argument))
      return this.#reply("501 5.5.4 Not RCPT TO:<address>");
    if (this.#rcptTo.length >= RECIPIENTS) return this.#reply("452 4.5.3 Too many recipients");
    const step = await this.#answer("rcpt", [path[1]], "250 2.1.5 Recipient OK");
    if (step === "go") this.#rcptTo.push(path[1]);
    return step;
  }

  async #data(): Promise<Step> {
    const mailFrom = this.#mailFrom;
    const rcptTo = this.#rcptTo;
    if (mailFrom === null || rcptTo.length === 0) return this.#reply("503 5.5.1 RCPT first");
    const step = await this.#answer("data", rcptTo, "354 End with a lone dot");
    if (step !== "go") return step;
    const raw = await this.#reader.content(MESSAGE_BYTES);
    this.#reset();
    if (raw === null) return "over";
    if (raw === "too_large") return this.#reply("552 5.3.4 Larger than this server takes");
    const envelope = { mail_from: mailFrom, rcpt_to: rcptTo, ...headingsOf(raw), tls: this.#tls() };
    const keep = async (): Promise<string> =>
      `250 2.0.0 Kept as ${(await this.#sink.keep(raw, envelope)).id}`;
    return this.#answer("end", rcptTo, keep);
  }

  /**
   * Answers as the rules say at this stage, or else with the `usual` reply. The usual work is done
   * for a rule's positive reply too.
   */
  async #answer(
    stage: InboxStage,
    recipients: readonly string[],
    usual: string | (() => Promise<string>),
  ): Promise<Step> {
    const verdict = await this.#verdict(stage, recipients);
    if (verdict.kind === "drop") {
      if (verdict.keep && typeof usual === "function") await usual();
      this.#socket.destroy();
      return "over";
    }
    const positive =
      verdict.kind === "go" ||
      verdict.text.startsWith("2") ||
      (stage === "data" && verdict.text.startsWith("354"));
    const text = positive && typeof usual === "function" ? await usual() : usual;
    this.#reply(verdict.kind === "reply" ? toWire(verdict.text) : String(text));
    if (positive) return "go";
    return verdict.kind === "reply" && verdict.text.startsWith("421") ? "over" : "refused";
  }

  /** Asks the rules for a verdict, and waits as long as they demand. */
  async #verdict(stage: InboxStage, recipients: readonly string[]): Promise<InboxVerdict> {
    const { delayMs, verdict } = this.#sink.rules.decide(stage, recipients, this.#server);
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    return verdict;
  }

  #reply(text: string): Step {
    if (this.#socket.writable) this.#socket.write(`${text}\r\n`);
    return "go";
  }

  #tls(): string | null {
    return this.#socket instanceof TLSSocket ? this.#socket.getProtocol() : null;
  }

  #reset(): void {
    this.#mailFrom = null;
    this.#rcptTo = [];
  }
}

/** Writes a rule's reply with CRLF line ends. */
function toWire(reply: string): string {
  return reply.replace(/\r?\n/g, "\r\n");
}
