// Decides how one SMTP session begins, how long it lasts and how it ends (smtp-gateway/DESIGN.md
// §Floods). It asks for the session's slot (connection-caps.ts), sends the greeting, limits the
// client's time and number of commands, and sends the replies. inbound-session.ts answers the
// commands.
import type { SMTPServer } from "smtp-server";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { Socket } from "node:net";
import { CommandStream } from "./command-stream.ts";
import type { ConnectionCaps, ConnectionSlot } from "./connection-caps.ts";
import type { GatewayMetrics } from "../gateway-metrics.ts";
import { SessionTimeouts, type SessionTimeoutsOptions } from "./session-timeouts.ts";
import { OWN_CODE, SessionRecord } from "./session-record.ts";
import { type SessionReply, SHUTTING_DOWN, TOO_MANY_CONNECTIONS } from "./replies.ts";

export interface LifetimeOptions extends Omit<SessionTimeoutsOptions, "isStressed"> {
  readonly caps: ConnectionCaps;
  readonly metrics: GatewayMetrics;
}

/**
 * Milliseconds before the greeting. A client that sends something in this time is refused, unless
 * its IP address is known.
 */
const GREETING_PAUSE_MS = 20;
/**
 * Milliseconds that a client has after its last message to end the session itself while the gateway
 * is stopping. Then the gateway ends the session.
 */
const FAREWELL_MS = 250;
/** Maximum number of commands in a session without a message. */
const UNAUTHENTICATED_COMMANDS_MAX = 100;
const AUTHENTICATED_COMMANDS_MAX = 2_000;

export abstract class SessionLifetime extends SMTPConnection {
  declare _parser: CommandStream | false;
  protected readonly record: SessionRecord;
  protected readonly timeouts: SessionTimeouts;
  protected slot: ConnectionSlot | null = null;
  readonly #caps: ConnectionCaps;
  #commands = 0;
  #isDraining = false;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: SMTPConnectionOptions | null | undefined,
    own: LifetimeOptions,
  ) {
    super(server, socket, options);
    this.#caps = own.caps;
    this.record = new SessionRecord(own.metrics, this.id, this.client);
    this.timeouts = new SessionTimeouts({ ...own, isStressed: () => own.caps.isStressed });
  }

  /**
   * The client's IP address in the form that the worker expects: without the zone of a link-local
   * address.
   */
  protected get client(): string {
    return this.remoteAddress.split("%", 1)[0]!;
  }

  /**
   * Asks for a slot and sends the greeting. The greeting waits 20 ms, so that a client that sends
   * too early is noticed. For a known IP address, the greeting waits only until the data that
   * arrived with the connection has been read.
   */
  override init(): void {
    this._setListeners(() => {
      const slot = this.#caps.admit(this.client, {
        awaitsReply: () => this.#isAnswering,
        displace: () => {
          this.record.noteDisplacement();
          this.say(TOO_MANY_CONNECTIONS);
        },
      });
      if (typeof slot === "string") {
        this.record.noteRefusal(slot);
        return this.say(TOO_MANY_CONNECTIONS);
      }
      this.slot = slot;
      this.record.noteAdmission();
      this.timeouts.startDeadline(() => this.send(421, "4.4.2 The session took too long"));
      // Data that arrived with the connection is read only after two turns of the event loop.
      if (slot.known) setImmediate(() => setImmediate(() => this.connectionReady()));
      else setTimeout(() => this.connectionReady(), GREETING_PAUSE_MS);
    });
  }

  /**
   * True: the client waits for a reply that needs the worker: the reply to AUTH, or to a whole
   * message.
   */
  get #isAnswering(): boolean {
    return (
      this._handlerPending || Boolean(this._dataStream && this._parser && !this._parser._dataMode)
    );
  }

  /** Ends the session now if it has no transaction, or else after the transaction. */
  closeWhenIdle(): void {
    this.#isDraining = true;
    if (!this._dataStream && !this._handlerPending && !this.session.envelope?.mailFrom)
      this.say(SHUTTING_DOWN);
  }

  /** Ends the session now. A message that has no reply yet was not accepted. */
  closeNow(): void {
    this.say(SHUTTING_DOWN);
  }

  destroy(): void {
    this._socket.destroy();
  }

  /** Must be called when the reply to a message has gone out. */
  finishMessage(): void {
    this.#commands = 0;
    if (this.#isDraining) setTimeout(() => this.say(SHUTTING_DOWN), FAREWELL_MS).unref();
  }

  /**
   * Sends a reply. If the text begins with an enhanced code, the reply keeps this code. Texts
   * without a code come from the smtp-server package, and get a code from its table.
   */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    this.#gatherReplies(code);
    this.record.noteReply(code, data);
    if (typeof data === "string" && OWN_CODE.test(data)) return super.send(code, data, false);
    if (code === 421 && typeof data === "string" && !data.startsWith("Timeout"))
      return super.send(code, `4.7.0 ${data}`, false);
    super.send(code, data, context);
  }

  protected say({ code, text }: SessionReply): void {
    this.send(code, text);
  }

  /**
   * Records that the client has authenticated. The session now keeps its slot and may last longer.
   */
  protected noteAuthenticated(): void {
    this.slot?.authenticate();
    this.timeouts.extendForAuthenticated();
    this._socket.setTimeout(this.timeouts.idleMs);
  }

  override _createParser(): CommandStream {
    const parser = new CommandStream({ maxCommandLength: this._server.options.maxCommandLength });
    parser.oncommand = (command, done) => this._onCommand(command, done);
    parser.on("error", (error) => this.send(421, `Error: ${error.message}`));
    return parser;
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.slot?.noteActivity();
    if (this._ready && !this._upgrading && !this._nextHandler) {
      const verb = command.toString("latin1", 0, 10).split(/\s/, 1)[0]!.toLowerCase();
      this.record.beginCommand(verb);
      const isQuit = verb === "quit";
      if (this.#isDraining && !isQuit && !this.session.envelope.mailFrom)
        return this.say(SHUTTING_DOWN);
      this.#commands += 1;
      const most = this.session.user ? AUTHENTICATED_COMMANDS_MAX : UNAUTHENTICATED_COMMANDS_MAX;
      if (this.#commands > most) return this.send(421, "4.7.0 Too many commands without a message");
    }
    super._onCommand(command, callback);
  }

  override _armTimeout(socket: Socket = this._socket): void {
    socket.setTimeout(this.timeouts.idleMs, () => this._onTimeout());
  }

  override _onTimeout(): void {
    if (!this._closing && this.timeouts.allowsSilence(this._socket.bytesRead)) this._armTimeout();
    else super._onTimeout();
  }

  /**
   * Closes our end of the connection. The slot is free at once, even if the client keeps its end
   * open.
   */
  override close(): void {
    this.slot?.release();
    super.close();
  }

  override _onClose(): void {
    this.slot?.release();
    this.timeouts.stopDeadline();
    super._onClose();
  }

  /**
   * Sends the replies to several commands in one piece, if the commands came in one piece (RFC 2920
   * §3.2). All replies must have gone out before a TLS handshake begins.
   */
  #gatherReplies(code: number): void {
    const socket = this._socket;
    if (this._upgrading) return;
    if (code === 220) return socket.uncork();
    if (socket.writableCorked > 0 || !this._parser || !this._parser.isPipelined) return;
    socket.cork();
    process.nextTick(() => socket.uncork());
  }
}
