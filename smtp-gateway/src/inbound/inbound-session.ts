// Answers the commands of one SMTP session and passes its messages on (contract.md §Sessions). The
// base class is smtp-server's connection, which reads lines and data, upgrades to TLS and
// implements SASL. The session overrides methods where the gateway decides otherwise
// (smtp-gateway/DESIGN.md §Design decisions).
import type { SMTPServer, SMTPServerAuthentication, SMTPServerDataStream } from "smtp-server";
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { Socket } from "node:net";
import {
  futureReleaseKeyword,
  type RequestedHold,
  refuseHold,
  remainingHold,
} from "./future-release.ts";
import { parseHello, parseMail, parseRcpt, UNKNOWN_PARAMETER } from "./path-syntax.ts";
import {
  AUTHENTICATION_REQUIRED,
  KEY_UNJUDGED,
  OTHER_KIND,
  NO_SUBSCRIPTION,
  type ReceiveResult,
  type SessionReply,
  reply,
  TLS_REQUIRED,
  TOO_LARGE,
  TOO_MANY_RECIPIENTS,
  UNAVAILABLE,
} from "./replies.ts";
import { REPLY_MAX_BYTES, type ReplyAddresses, replyTokenIn } from "./reply-addresses.ts";
import { REPORT_MAX_BYTES, REPORT_RECIPIENTS_MAX, type ReturnPaths } from "./return-paths.ts";
import { type LifetimeOptions, SessionLifetime } from "./session-lifetime.ts";
import {
  type AuthResult,
  MESSAGE_MAX_BYTES,
  RECIPIENTS_MAX,
  type AuthenticatedSender,
  type Submission,
} from "./submission.ts";

export interface InboundSessionOptions extends Omit<LifetimeOptions, "takesReports"> {
  /** Accepts the messages of authenticated clients. Null: the port accepts no submissions. */
  readonly submission: Submission | null;
  /** Accepts reports without authentication. Null: the port accepts no reports. */
  readonly returnPaths: ReturnPaths | null;
  /** Accepts replies without authentication. Null: the port accepts no replies. */
  readonly replyAddresses: ReplyAddresses | null;
  /** True: without authentication, the port accepts only bounces (`MAIL FROM:<>`). */
  readonly reportsOfNullSenderOnly: boolean;
}

const MESSAGE_TIMEOUT_MS = 10 * 60_000;
const AUTH_ATTEMPTS_MAX = 20;
const RELAY_ATTEMPTS_MAX = 20;
const NULL_SENDER = /^MAIL FROM:[ \t]*<>/i;

export class InboundSession extends SessionLifetime {
  readonly #options: InboundSessionOptions;
  #authAttempts = 0;
  #relayAttempts = 0;
  /** The size that the last MAIL announced. 0: it announced no size. */
  #announced = 0;
  /** The hold that the last MAIL asked for (HOLDFOR or HOLDUNTIL). */
  #hold: RequestedHold | null = null;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: SMTPConnectionOptions | null | undefined,
    own: InboundSessionOptions,
  ) {
    const takesReports = own.returnPaths !== null && !own.reportsOfNullSenderOnly;
    super(server, socket, options, { ...own, takesReports });
    this.#options = own;
  }

  get #sender(): AuthenticatedSender | null {
    return (this.session.user as AuthenticatedSender | false | undefined) || null;
  }

  /**
   * Checks the credentials of AUTH. Never rejects: an internal error becomes a temporary refusal.
   */
  async authenticate(auth: SMTPServerAuthentication): Promise<AuthResult> {
    const credentials = {
      username: auth.username ?? "",
      actingFor: auth.authzid ?? "",
      password: auth.password ?? "",
    };
    try {
      const verdict = await this.#options.submission!.authenticate(credentials, this.client);
      if (verdict.sender) this.noteAuthenticated();
      else this.record.noteRefusedKey(verdict.reply.code);
      return verdict;
    } catch (error) {
      this.#noteFault(error);
      return { reply: KEY_UNJUDGED, sender: null };
    }
  }

  /**
   * Reads one message to its end and passes it on. Resolves with null if the client has
   * disconnected and needs no reply.
   */
  async receive(stream: SMTPServerDataStream): Promise<SessionReply | null> {
    const started = performance.now();
    this.record.beginCommand("message");
    try {
      const received = await this.#handOn(stream);
      if (received === "flood") {
        this.say(TOO_LARGE);
        this.close();
        return null;
      }
      const kind = this.#sender ? "submission" : this.#takesReply ? "reply" : "report";
      if (received)
        this.record.noteMessage(
          kind,
          received,
          this.session.envelope.rcptTo.length,
          performance.now() - started,
        );
      return received && received.reply;
    } catch (error) {
      return this.#noteFault(error);
    }
  }

  override handler_EHLO(command: Buffer, callback: () => void): void {
    const size = this.#options.submission ? MESSAGE_MAX_BYTES : this.#strangersMostBytes;
    const takesMail = this.secure && this.#options.submission !== null;
    const extensions = ["PIPELINING", `SIZE ${size}`, "8BITMIME", "SMTPUTF8"];
    if (takesMail) extensions.push(futureReleaseKeyword(Date.now()));
    extensions.push("ENHANCEDSTATUSCODES");
    if (!this.secure) extensions.push("STARTTLS");
    else if (takesMail && !this.#sender) extensions.push("AUTH PLAIN LOGIN");
    this.#greet(command, extensions);
    callback();
  }

  override handler_HELO(command: Buffer, callback: () => void): void {
    this.#greet(command, []);
    callback();
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    const refused = this.#refuseAuth();
    if (!refused) return super.handler_AUTH(command, callback);
    this.say(refused);
    callback();
  }

  override handler_MAIL(command: Buffer, callback: () => void): void {
    this.say(this.#beginTransaction(command.toString("latin1")));
    callback();
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    const mailbox = this.#readRecipient(command.toString("latin1"));
    if (typeof mailbox === "string" && !this.#sender)
      return void this.#answerReturnPath(mailbox, callback);
    this.say(typeof mailbox === "string" ? this.#addRecipient(mailbox) : mailbox);
    callback();
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    const refused = this.#refuseMail();
    if (refused) {
      this.say(refused);
      return callback();
    }
    super.handler_DATA(command, callback);
    const stream = this._dataStream;
    if (!stream) return;
    stream.on("data", () => this.slot?.noteActivity());
    const late = setTimeout(
      () => this.send(421, "4.4.2 The message took too long"),
      MESSAGE_TIMEOUT_MS,
    );
    stream.once("end", () => clearTimeout(late));
    stream.once("close", () => clearTimeout(late));
  }

  #greet(command: Buffer, extensions: readonly string[]): void {
    const name = parseHello(command.toString("latin1"));
    if (name === null) return this.say(reply(501, "5.5.4 Syntax: EHLO hostname"));
    this.hostNameAppearsAs = name.toLowerCase();
    this._resetSession();
    // RFC 2034 §3: the reply to EHLO has no enhanced code.
    this.send(250, [`${this.name} greets you`, ...extensions], false);
  }

  #beginTransaction(line: string): SessionReply {
    const refused = this.#refuseMail(NULL_SENDER.test(line));
    if (refused) return refused;
    const { envelope } = this.session;
    if (envelope.mailFrom) return reply(503, "5.5.1 Nested MAIL command");
    const command = parseMail(line);
    if ("refused" in command) return command.refused;
    const sender = this.#sender;
    if (sender && !sender.subscribed) return NO_SUBSCRIPTION;
    if (command.hold && !sender) return UNKNOWN_PARAMETER;
    const untenable = command.hold && refuseHold(command.hold, Date.now());
    if (untenable) return untenable;
    const most = sender ? MESSAGE_MAX_BYTES : this.#strangersMostBytes;
    if (command.size > most) return TOO_LARGE;
    envelope.mailFrom = { address: command.reversePath, args: false };
    envelope.smtpUtf8 = command.smtpUtf8;
    this.#announced = command.size;
    this.#hold = command.hold;
    return reply(250, "2.1.0 Sender ok");
  }

  /** Returns the mailbox that RCPT names, or the reply that refuses it. */
  #readRecipient(line: string): string | SessionReply {
    const refused = this.#refuseMail();
    if (refused) return refused;
    const { envelope } = this.session;
    if (!envelope.mailFrom) return reply(503, "5.5.1 Need MAIL command");
    const command = parseRcpt(line, envelope.smtpUtf8 === true, !this.#sender);
    if ("refused" in command) return command.refused;
    const most = this.#sender ? RECIPIENTS_MAX : REPORT_RECIPIENTS_MAX;
    return envelope.rcptTo.length >= most ? TOO_MANY_RECIPIENTS : command.mailbox;
  }

  async #answerReturnPath(mailbox: string, done: () => void): Promise<void> {
    this.say(await this.#judgeReturnPath(mailbox));
    done();
  }

  async #judgeReturnPath(mailbox: string): Promise<SessionReply> {
    try {
      const verdict = await this.#judgeStrangers(mailbox);
      if (verdict === OTHER_KIND || verdict === TOO_LARGE) return verdict;
      if (verdict.code === 250) return this.#addRecipient(mailbox);
      this.#relayAttempts += 1;
      return this.#relayAttempts < RELAY_ATTEMPTS_MAX
        ? verdict
        : reply(421, "4.7.0 Too many refused recipients");
    } catch (error) {
      return this.#noteFault(error);
    }
  }

  /**
   * True: the message that arrives is for reply addresses. A message is either for reply addresses
   * or for return-paths.
   */
  get #takesReply(): boolean {
    const [first] = this.session.envelope.rcptTo;
    return first !== undefined && replyTokenIn(first.address) !== null;
  }

  /**
   * Maximum size that a client without authentication may announce at MAIL. A reply may be larger
   * than a report, and only RCPT tells which of the two comes. The sender `<>` does not tell it,
   * because a vacation note has this sender too.
   */
  get #strangersMostBytes(): number {
    return this.#options.replyAddresses ? REPLY_MAX_BYTES : REPORT_MAX_BYTES;
  }

  async #judgeStrangers(mailbox: string): Promise<SessionReply> {
    const { replyAddresses, returnPaths } = this.#options;
    const isReply = replyAddresses !== null && replyTokenIn(mailbox) !== null;
    const isFirst = this.session.envelope.rcptTo.length === 0;
    if (!isFirst && isReply !== this.#takesReply) return OTHER_KIND;
    if (!isReply && this.#announced > REPORT_MAX_BYTES) return TOO_LARGE;
    return isReply
      ? replyAddresses.judge(mailbox, this.client)
      : returnPaths!.judge(mailbox, this.client);
  }

  #addRecipient(mailbox: string): SessionReply {
    this.session.envelope.rcptTo.push({ address: mailbox, args: false });
    if (!this.#sender) {
      this.timeouts.extendForReport();
      this.slot?.refundAttempt();
    }
    return reply(250, "2.1.5 Recipient ok");
  }

  /**
   * Returns the reply that refuses a mail transaction. Returns null if the transaction may begin or
   * continue. Only an authenticated client may submit mail. Other clients may only send reports,
   * and only to a port that accepts reports. `isBounce`: the sender is `<>`. After an accepted
   * MAIL, the default is true, because the sender was already checked.
   */
  #refuseMail(isBounce = Boolean(this.session.envelope.mailFrom)): SessionReply | null {
    if (this.#sender) return null;
    if (this.#options.returnPaths && (isBounce || !this.#options.reportsOfNullSenderOnly))
      return null;
    return this.secure ? AUTHENTICATION_REQUIRED : TLS_REQUIRED;
  }

  /**
   * Counts an attempt to authenticate. Returns the reply that refuses AUTH, or null if AUTH may
   * continue.
   */
  #refuseAuth(): SessionReply | null {
    if (!this.secure) return TLS_REQUIRED;
    if (this.session.envelope.mailFrom)
      return reply(503, "5.5.1 AUTH is not permitted during a mail transaction");
    this.#authAttempts += 1;
    return this.#authAttempts > AUTH_ATTEMPTS_MAX
      ? reply(421, "4.7.0 Too many authentication attempts")
      : null;
  }

  #handOn(stream: SMTPServerDataStream): Promise<ReceiveResult> {
    const { mailFrom, rcptTo } = this.session.envelope;
    const recipients = rcptTo.map(({ address }) => address);
    const sender = this.#sender;
    const reversePath = mailFrom ? mailFrom.address : "";
    if (!sender && this.#takesReply)
      return this.#options.replyAddresses!.receive(stream, recipients, {
        client: this.client,
        hello: this.hostNameAppearsAs || "",
        reversePath,
      });
    if (!sender)
      return this.#options.returnPaths!.receive(stream, reversePath, recipients, this.client);
    const envelope = { reversePath, recipients, hold: remainingHold(this.#hold, Date.now()) };
    return this.#options.submission!.receive(stream, envelope, sender, this.client);
  }

  /** Logs an internal error. The error makes only this client's attempt fail. */
  #noteFault(error: unknown): SessionReply {
    this.record.noteFault(error);
    return UNAVAILABLE;
  }
}
