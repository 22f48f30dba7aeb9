// One SMTP session: which commands may come when, what each is answered, how long and how much a
// client may take. It stands on smtp-server's connection, which reads lines and data, upgrades to
// TLS and speaks SASL, and overrides what that one decides otherwise (smtp-gateway/README.md
// §Decided).
import {
  type SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
} from "smtp-server";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { Socket } from "node:net";
import { CommandStream } from "./command-stream.ts";
import type { Client, ConnectionCaps, ConnectionPlace } from "./connection-caps.ts";
import type { GatewayMetrics } from "../gateway-metrics.ts";
import { Patience } from "./session-patience.ts";
import { OWN_CODE, SessionRecord } from "./session-record.ts";
import { parseHello, parseMail, parseRcpt } from "./path-syntax.ts";
import {
  AUTHENTICATION_REQUIRED,
  KEY_UNJUDGED,
  NO_SUBSCRIPTION,
  type SessionReply,
  reply,
  SHUTTING_DOWN,
  TLS_REQUIRED,
  TOO_LARGE,
  TOO_MANY_CONNECTIONS,
  TOO_MANY_RECIPIENTS,
  UNAVAILABLE,
} from "./replies.ts";
import { REPORT_MAX_BYTES, REPORT_RECIPIENTS_MAX, type ReturnPaths } from "./return-paths.ts";
import {
  type AuthVerdict,
  MESSAGE_MAX_BYTES,
  RECIPIENTS_MAX,
  type AuthenticatedSender,
  type Submission,
  type Taken,
} from "./submission.ts";

export interface SessionOptions {
  /** Null: the port takes no submission. */
  readonly submission: Submission | null;
  /** Null: the port takes nothing from strangers. */
  readonly returnPaths: ReturnPaths | null;
  /** Strangers may bring bounces (`MAIL FROM:<>`) and nothing else. */
  readonly reportsOfNullSenderOnly: boolean;
  readonly caps: ConnectionCaps;
  readonly metrics: GatewayMetrics;
  /** How long an authenticated client may be silent, in milliseconds. */
  readonly idleMs: number;
}

/** A stranger is watched this long for talking before it is greeted. */
const GREETING_PAUSE_MS = 20;
const DATA_MS = 10 * 60_000;
/**
 * How long a client is given to end the session itself, after its last message before a shutdown.
 */
const FAREWELL_MS = 250;
const AUTH_ATTEMPTS_MAX = 20;
const RELAY_ATTEMPTS_MAX = 20;
/** Commands without a message: from a stranger, from a customer. */
const STRANGER_COMMANDS_MAX = 100;
const CUSTOMER_COMMANDS_MAX = 2_000;
const NULL_SENDER = /^MAIL FROM:[ \t]*<>/i;

export class Session extends SMTPConnection {
  declare _parser: CommandStream | false;
  readonly #options: SessionOptions;
  readonly #patience: Patience;
  readonly #record: SessionRecord;
  #place: ConnectionPlace | null = null;
  #commands = 0;
  #authAttempts = 0;
  #relayAttempts = 0;
  #leaving = false;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: SMTPConnectionOptions | null | undefined,
    own: SessionOptions,
  ) {
    super(server, socket, options);
    this.#options = own;
    this.#record = new SessionRecord(own.metrics, this.id, this.#client);
    this.#patience = new Patience({
      idleMs: own.idleMs,
      takesReports: own.returnPaths !== null && !own.reportsOfNullSenderOnly,
      isStressed: () => own.caps.isStressed,
    });
  }

  /** As the worker wants it: without the zone that a link-local address may have. */
  get #client(): string {
    return this.remoteAddress.split("%", 1)[0]!;
  }

  get #sender(): AuthenticatedSender | null {
    return (this.session.user as AuthenticatedSender | false | undefined) || null;
  }

  /**
   * Takes its place and greets. A known address is greeted as soon as it is certain that it has not
   * talked yet; others a little later.
   */
  override init(): void {
    this._setListeners(() => {
      const place = this.#options.caps.admit(this.#client, this.#asClient());
      if (typeof place === "string") {
        this.#record.noteRefusal(place);
        return this.#say(TOO_MANY_CONNECTIONS);
      }
      this.#place = place;
      this.#record.noteAdmission();
      this.#patience.begin(() => this.send(421, "4.4.2 The session took too long"));
      // Whatever came with the connection is read in the one turn of the event loop that lies
      // between the two.
      if (place.known) setImmediate(() => setImmediate(() => this.connectionReady()));
      else setTimeout(() => this.connectionReady(), GREETING_PAUSE_MS);
    });
  }

  #asClient(): Client {
    return {
      isWaiting: () => this.#isAnswering,
      displace: () => {
        this.#record.noteDisplacement();
        this.#say(TOO_MANY_CONNECTIONS);
      },
    };
  }

  /** The client waits for an answer that takes the worker: AUTH, or the end of a message. */
  get #isAnswering(): boolean {
    return (
      this._handlerPending || Boolean(this._dataStream && this._parser && !this._parser._dataMode)
    );
  }

  /**
   * Ends the session when nothing of its own would be lost: at once, or after the transaction that
   * it is in.
   */
  leave(): void {
    this.#leaving = true;
    if (!this._dataStream && !this._handlerPending && !this.session.envelope?.mailFrom)
      this.#say(SHUTTING_DOWN);
  }

  /** Ends the session now, whatever it is about; what was not answered was not taken. */
  endNow(): void {
    this.#say(SHUTTING_DOWN);
  }

  destroy(): void {
    this._socket.destroy();
  }

  async authenticate(auth: SMTPServerAuthentication): Promise<AuthVerdict> {
    const credentials = {
      username: auth.username ?? "",
      actingFor: auth.authzid ?? "",
      password: auth.password ?? "",
    };
    try {
      const judged = await this.#options.submission!.authenticate(credentials, this.#client);
      if (judged.sender) this.#trust();
      else this.#record.noteRefusedKey(judged.reply.code);
      return judged;
    } catch (error) {
      this.#fault(error);
      return { reply: KEY_UNJUDGED, sender: null };
    }
  }

  /** Reads one message to its end. Null: there is nobody to reply to. */
  async take(stream: SMTPServerDataStream): Promise<SessionReply | null> {
    const started = performance.now();
    this.#record.beginCommand("message");
    try {
      const taken = await this.#read(stream);
      if (taken === "flood") {
        this.#say(TOO_LARGE);
        this.close();
        return null;
      }
      const kind = this.#sender ? "submission" : "report";
      if (taken)
        this.#record.noteMessage(
          kind,
          taken,
          this.session.envelope.rcptTo.length,
          performance.now() - started,
        );
      return taken && taken.reply;
    } catch (error) {
      return this.#fault(error);
    }
  }

  /** After the reply to a message has gone out. */
  messageEnded(): void {
    this.#commands = 0;
    if (this.#leaving) setTimeout(() => this.#say(SHUTTING_DOWN), FAREWELL_MS).unref();
  }

  /**
   * A text that brings its enhanced code keeps it; the library's own texts get theirs from its
   * table.
   */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    this.#gather(code);
    this.#record.noteReply(code, data);
    if (typeof data === "string" && OWN_CODE.test(data)) return super.send(code, data, false);
    if (code === 421 && typeof data === "string" && !data.startsWith("Timeout"))
      return super.send(code, `4.7.0 ${data}`, false);
    super.send(code, data, context);
  }

  override _createParser(): CommandStream {
    const parser = new CommandStream({ maxCommandLength: this._server.options.maxCommandLength });
    parser.oncommand = (command, done) => this._onCommand(command, done);
    parser.on("error", (error) => this.send(421, `Error: ${error.message}`));
    return parser;
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.#place?.hear();
    if (this._ready && !this._upgrading && !this._nextHandler) {
      const verb = command.toString("latin1", 0, 10).split(/\s/, 1)[0]!.toLowerCase();
      this.#record.beginCommand(verb);
      const isQuit = verb === "quit";
      if (this.#leaving && !isQuit && !this.session.envelope.mailFrom)
        return this.#say(SHUTTING_DOWN);
      this.#commands += 1;
      if (this.#commands > (this.#sender ? CUSTOMER_COMMANDS_MAX : STRANGER_COMMANDS_MAX)) {
        return this.send(421, "4.7.0 Too many commands without a message");
      }
    }
    super._onCommand(command, callback);
  }

  override handler_EHLO(command: Buffer, callback: () => void): void {
    const size = this.#options.submission ? MESSAGE_MAX_BYTES : REPORT_MAX_BYTES;
    const extensions = [
      "PIPELINING",
      `SIZE ${size}`,
      "8BITMIME",
      "SMTPUTF8",
      "ENHANCEDSTATUSCODES",
    ];
    if (!this.secure) extensions.push("STARTTLS");
    else if (this.#options.submission && !this.#sender) extensions.push("AUTH PLAIN LOGIN");
    this.#hello(command, extensions);
    callback();
  }

  override handler_HELO(command: Buffer, callback: () => void): void {
    this.#hello(command, []);
    callback();
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    const refused = this.#mayAuthenticate();
    if (!refused) return super.handler_AUTH(command, callback);
    this.#say(refused);
    callback();
  }

  override handler_MAIL(command: Buffer, callback: () => void): void {
    this.#say(this.#mail(command.toString("latin1")));
    callback();
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    const mailbox = this.#recipient(command.toString("latin1"));
    if (typeof mailbox === "string" && !this.#sender)
      return void this.#rcptOfStranger(mailbox, callback);
    this.#say(typeof mailbox === "string" ? this.#add(mailbox) : mailbox);
    callback();
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    const refused = this.#mayMail();
    if (refused) {
      this.#say(refused);
      return callback();
    }
    super.handler_DATA(command, callback);
    const stream = this._dataStream;
    if (!stream) return;
    stream.on("data", () => this.#place?.hear());
    const late = setTimeout(() => this.send(421, "4.4.2 The message took too long"), DATA_MS);
    stream.once("end", () => clearTimeout(late));
    stream.once("close", () => clearTimeout(late));
  }

  override _armTimeout(socket: Socket = this._socket): void {
    socket.setTimeout(this.#patience.idleMs, () => this._onTimeout());
  }

  override _onTimeout(): void {
    if (!this._closing && this.#patience.bears(this._socket.bytesRead)) this._armTimeout();
    else super._onTimeout();
  }

  /**
   * A place is free as soon as nothing more is said to its client, however long that one holds its
   * end open.
   */
  override close(): void {
    this.#place?.leave();
    super.close();
  }

  override _onClose(): void {
    this.#place?.leave();
    this.#patience.end();
    super._onClose();
  }

  /**
   * Replies to commands that came in one piece go out in one piece (RFC 2920 section 3.2); none may
   * be left over when a handshake begins.
   */
  #gather(code: number): void {
    const socket = this._socket;
    if (this._upgrading) return;
    if (code === 220) return socket.uncork();
    if (socket.writableCorked > 0 || !this._parser || !this._parser.isPipelined) return;
    socket.cork();
    process.nextTick(() => socket.uncork());
  }

  #say({ code, text }: SessionReply): void {
    this.send(code, text);
  }

  #hello(command: Buffer, extensions: readonly string[]): void {
    const name = parseHello(command.toString("latin1"));
    if (name === null) return this.#say(reply(501, "5.5.4 Syntax: EHLO hostname"));
    this.hostNameAppearsAs = name.toLowerCase();
    this._resetSession();
    // RFC 2034 section 3: no enhanced code here.
    this.send(250, [`${this.name} greets you`, ...extensions], false);
  }

  #mail(line: string): SessionReply {
    const refused = this.#mayMail(NULL_SENDER.test(line));
    if (refused) return refused;
    const { envelope } = this.session;
    if (envelope.mailFrom) return reply(503, "5.5.1 Nested MAIL command");
    const command = parseMail(line);
    if ("refused" in command) return command.refused;
    const sender = this.#sender;
    if (sender && !sender.subscribed) return NO_SUBSCRIPTION;
    if (command.size > (sender ? MESSAGE_MAX_BYTES : REPORT_MAX_BYTES)) return TOO_LARGE;
    envelope.mailFrom = { address: command.reversePath, args: false };
    envelope.smtpUtf8 = command.smtpUtf8;
    return reply(250, "2.1.0 Sender ok");
  }

  #recipient(line: string): string | SessionReply {
    const refused = this.#mayMail();
    if (refused) return refused;
    const { envelope } = this.session;
    if (!envelope.mailFrom) return reply(503, "5.5.1 Need MAIL command");
    const command = parseRcpt(line, envelope.smtpUtf8 === true, !this.#sender);
    if ("refused" in command) return command.refused;
    const most = this.#sender ? RECIPIENTS_MAX : REPORT_RECIPIENTS_MAX;
    return envelope.rcptTo.length >= most ? TOO_MANY_RECIPIENTS : command.mailbox;
  }

  async #rcptOfStranger(mailbox: string, done: () => void): Promise<void> {
    this.#say(await this.#judgeReturnPath(mailbox));
    done();
  }

  async #judgeReturnPath(mailbox: string): Promise<SessionReply> {
    try {
      const judged = await this.#options.returnPaths!.judge(mailbox, this.#client);
      if (judged.code === 250) return this.#add(mailbox);
      this.#relayAttempts += 1;
      return this.#relayAttempts < RELAY_ATTEMPTS_MAX
        ? judged
        : reply(421, "4.7.0 Too many refused recipients");
    } catch (error) {
      return this.#fault(error);
    }
  }

  #add(mailbox: string): SessionReply {
    this.session.envelope.rcptTo.push({ address: mailbox, args: false });
    if (!this.#sender) {
      this.#patience.growForReport();
      this.#place?.proveFruitful();
    }
    return reply(250, "2.1.5 Recipient ok");
  }

  /**
   * Whether a transaction may go on: of a customer, or of a stranger where strangers may report.
   * `isBounce`: its sender is, or is to be, the null one.
   */
  #mayMail(isBounce = Boolean(this.session.envelope.mailFrom)): SessionReply | null {
    if (this.#sender) return null;
    if (this.#options.returnPaths && (isBounce || !this.#options.reportsOfNullSenderOnly))
      return null;
    return this.secure ? AUTHENTICATION_REQUIRED : TLS_REQUIRED;
  }

  #mayAuthenticate(): SessionReply | null {
    if (!this.secure) return TLS_REQUIRED;
    if (this.session.envelope.mailFrom)
      return reply(503, "5.5.1 AUTH is not permitted during a mail transaction");
    this.#authAttempts += 1;
    return this.#authAttempts > AUTH_ATTEMPTS_MAX
      ? reply(421, "4.7.0 Too many authentication attempts")
      : null;
  }

  #trust(): void {
    this.#place?.authenticate();
    this.#patience.growForCustomer();
    this._socket.setTimeout(this.#patience.idleMs);
  }

  #read(stream: SMTPServerDataStream): Promise<Taken> {
    const { mailFrom, rcptTo } = this.session.envelope;
    const recipients = rcptTo.map(({ address }) => address);
    const sender = this.#sender;
    const reversePath = mailFrom ? mailFrom.address : "";
    if (!sender)
      return this.#options.returnPaths!.take(stream, reversePath, recipients, this.#client);
    const envelope = { reversePath, recipients };
    return this.#options.submission!.take(stream, envelope, sender, this.#client);
  }

  /** A bug costs the client that meets it one try, not the others theirs. */
  #fault(error: unknown): SessionReply {
    this.#record.noteFault(error);
    return UNAVAILABLE;
  }
}
