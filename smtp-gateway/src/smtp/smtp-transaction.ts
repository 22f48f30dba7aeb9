// Sends one message over one connection: MAIL, RCPT and DATA (together if the server supports
// PIPELINING), the message, and the final dot. Each transaction has one recipient, so that each
// recipient has its own replies. The result tells whether the message may be sent again. It may if
// the server did not get the whole message. It must not if the server replied to the message, or if
// the reply to the final dot is missing.
import { Buffer, isAscii } from "node:buffer";
import { DotStuffer } from "./dot-stuffing.ts";
import {
  LostConnection,
  type RefusedSender,
  type SmtpConnection,
  type SmtpTimeouts,
} from "./smtp-connection.ts";
import type { RefusedReuse } from "./reuse-limits.ts";
import { foldReply, isPositive, type Reply, type SmtpStage } from "./smtp-reply.ts";

const BLOCK_BYTES = 64 * 1024;
/** Words by which a server refuses commands that come together. */
const PIPELINING_REFUSED = /pipelin|synchroni[sz]ation/i;
const ADDRESS_MAX_CHARACTERS = 320;
const MAILBOX =
  /^(?:[^\s\p{Cc}<>()[\]\\,;:@"]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")@([^\s\p{Cc}<>()[\]\\,;:@"]+)$/u;

/**
 * A message and its envelope. The caller has checked both addresses by `mailboxDomain`; the sender
 * may also be empty.
 */
export interface OutgoingMessage {
  readonly mailFrom: string;
  readonly rcptTo: string;
  /** The message with CRLF line ends, before dot-stuffing. */
  readonly bytes: Uint8Array;
  /**
   * True: all parts that may be converted are 7-bit, so a message that is still 8-bit needs
   * 8BITMIME. False: the message comes from an earlier version of the worker, and goes out as it
   * is.
   */
  readonly isConverted: boolean;
}

interface StagedReply {
  readonly stage: SmtpStage;
  readonly reply: Reply;
}

export type TransactionResult =
  /** `reusable`: the connection may be used for another message. */
  | (StagedReply & { readonly kind: "answered"; readonly reusable: boolean })
  /**
   * The message needs an extension that the server lacks. The client itself writes `reply` (RFC
   * 6531 §3.5, RFC 6152 §3).
   */
  | { readonly kind: "unsupported"; readonly reply: Reply }
  /** The connection broke. At the stage `end`, the server may have accepted the message. */
  | { readonly kind: "broken"; readonly stage: SmtpStage; readonly why: string }
  /**
   * The connection was used before. It is dead (`refused` is null), or the server's refusal may be
   * about earlier messages. A fresh connection decides.
   */
  | { readonly kind: "stale"; readonly refused: RefusedReuse | null }
  /**
   * The server announced PIPELINING, but did not answer all commands that came together. It got no
   * message, so a fresh connection with one command at a time decides.
   */
  | { readonly kind: "unread" };

/** Runs one transaction. Never throws. */
export async function runTransaction(
  connection: SmtpConnection,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
): Promise<TransactionResult> {
  if (connection.takeEarly()) {
    // An early reply would shift all later replies by one command, so the connection is closed.
    connection.close();
    return connection.transactions > 0
      ? { kind: "stale", refused: null }
      : { kind: "broken", stage: "mail", why: "an unsolicited reply" };
  }
  const { smtpUtf8, eightBitMime } = connection.capabilities;
  const unsupported =
    (smtpUtf8 ? null : refusalOfUtf8(message)) ??
    (eightBitMime ? null : refusalOfEightBit(message));
  if (unsupported) return { kind: "unsupported", reply: unsupported };
  return new SmtpTransaction(connection, message, timeouts).run();
}

/** Tells whether a reply is the result of the message: any refusal, or a 2xx to the final dot. */
export function isDecisiveReply(stage: SmtpStage, reply: Reply): boolean {
  return reply.code >= 400 || (stage === "end" && isPositive(reply));
}

/**
 * Returns the domain of a mail address in lower case. Returns null if the address can't stand
 * between `<` and `>`.
 */
export function mailboxDomain(address: string): string | null {
  if (address.length > ADDRESS_MAX_CHARACTERS) return null;
  return MAILBOX.exec(address)?.[1]?.toLowerCase() ?? null;
}

class SmtpTransaction {
  readonly #connection: SmtpConnection;
  readonly #message: OutgoingMessage;
  readonly #timeouts: SmtpTimeouts;
  /** Number of earlier transactions on the connection. */
  readonly #before: number;
  #stage: SmtpStage = "mail";
  /** True: the reply to MAIL has come. */
  #hasBegun = false;
  #refusal: StagedReply | null = null;
  /**
   * True: MAIL, RCPT and DATA went out together, and the server's reply to one of them is missing.
   */
  #isInFlight = false;

  constructor(connection: SmtpConnection, message: OutgoingMessage, timeouts: SmtpTimeouts) {
    this.#connection = connection;
    this.#message = message;
    this.#timeouts = timeouts;
    this.#before = connection.transactions++;
  }

  async run(): Promise<TransactionResult> {
    try {
      if (!(await this.#sendEnvelope())) return { kind: "stale", refused: null };
      return this.#refusal ? this.#endRefused(this.#refusal) : await this.#sendMessage();
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      if (this.#isUnread(error)) return { kind: "unread" };
      if (this.#refusal) return this.#endRefused(this.#refusal);
      if (this.#before > 0 && !this.#hasBegun) return { kind: "stale", refused: null };
      return { kind: "broken", stage: this.#stage, why: error.message };
    }
  }

  /**
   * Sends MAIL, RCPT and DATA. After that, either the server waits for the message, or `#refusal`
   * is set. Returns false if the server refused RSET. Throws LostConnection.
   */
  async #sendEnvelope(): Promise<boolean> {
    const connection = this.#connection;
    const { pipelining } = connection.capabilities;
    const commands: readonly (readonly [SmtpStage, string])[] = [
      ["mail", mailCommand(connection, this.#message)],
      ["rcpt", `RCPT TO:<${this.#message.rcptTo}>\r\n`],
      ["data", "DATA\r\n"],
    ];
    const reset = connection.unfinished ? "RSET\r\n" : "";
    connection.unfinished = true;
    const flight = pipelining ? reset + commands.map(([, line]) => line).join("") : reset;
    this.#isInFlight = pipelining;
    if (flight !== "") connection.send(flight);
    if (reset && !isPositive(await connection.reply(this.#timeouts.command))) {
      // DATA is already on its way, so the server could read later commands as a message.
      connection.close();
      return false;
    }
    for (const [stage, line] of commands) {
      this.#stage = stage;
      if (!pipelining) connection.send(line);
      const { command, data } = this.#timeouts;
      const reply = await connection.reply(stage === "data" ? data : command);
      this.#hasBegun = true;
      if (this.#refusal) {
        // The server waits for a message without recipients. No reply to such a message would be
        // reliable, so the connection is closed.
        if (stage === "data" && reply.code < 400) connection.close();
      } else if (!isAccepted(stage, reply)) {
        this.#refusal = { stage, reply };
        if (!pipelining || reply.code === 421 || reply.code < 400) break;
      }
    }
    this.#isInFlight = false;
    return true;
  }

  /**
   * Tells whether the server answered MAIL but did not read all commands after it. A server that
   * refused MAIL or RCPT and then closed the connection has read enough.
   */
  #isUnread({ how }: LostConnection): boolean {
    if (!this.#isInFlight || !this.#hasBegun || how === "own") return false;
    return !this.#refusal || how === "timeout";
  }

  #endRefused({ stage, reply }: StagedReply): TransactionResult {
    const connection = this.#connection;
    if (connection.capabilities.pipelining && PIPELINING_REFUSED.test(foldReply(reply).text))
      return { kind: "unread" };
    if (this.#before === 0 && stage === "mail")
      connection.refusedSender = this.#refusedSender(reply);
    if (this.#before > 0 && !this.#isAboutMessage(stage, reply)) {
      // A 421 is not remembered as a refusal. Servers send it for many reasons, for example to an
      // old connection.
      const refused = reply.code === 421 ? null : { stage, after: this.#before };
      return { kind: "stale", refused };
    }
    // After a 2xx or 3xx at the wrong step, it is uncertain to which command a later reply belongs.
    // So the connection is not used again.
    const reusable = !connection.lost && reply.code >= 400 && reply.code !== 421;
    return { kind: "answered", stage, reply, reusable };
  }

  /**
   * Tells whether a refusal on a used connection is certainly not about earlier messages. At MAIL,
   * this is certain if the server refused the connection's first MAIL in the same way. At a later
   * step, it is certain for every code except 503, which is about the order of commands (RFC 5321
   * §4.2.2).
   */
  #isAboutMessage(stage: SmtpStage, reply: Reply): boolean {
    if (stage !== "mail") return reply.code !== 503;
    const first = this.#connection.refusedSender;
    const { domain, code, enhanced } = this.#refusedSender(reply);
    return first?.domain === domain && first.code === code && first.enhanced === enhanced;
  }

  #refusedSender(reply: Reply): RefusedSender {
    const domain = mailboxDomain(this.#message.mailFrom) ?? "";
    return { domain, code: reply.code, enhanced: foldReply(reply).enhanced };
  }

  /**
   * Sends the message and waits for the reply. If a refusal comes early, sending stops. Throws
   * LostConnection.
   */
  async #sendMessage(): Promise<TransactionResult> {
    const connection = this.#connection;
    const { bytes } = this.#message;
    const stuffer = new DotStuffer();
    for (let from = 0; ; from += BLOCK_BYTES) {
      const early = connection.takeEarly();
      if (early) return { kind: "answered", stage: "data", reply: early, reusable: false };
      const block = stuffer.stuff(bytes.subarray(from, from + BLOCK_BYTES));
      if (from + BLOCK_BYTES >= bytes.length) {
        this.#stage = "end";
        connection.awaitsVerdict = true;
        connection.send(block, stuffer.end());
        break;
      }
      await connection.flush(block, this.#timeouts.block);
    }
    const reply = await connection.reply(this.#timeouts.final);
    connection.awaitsVerdict = false;
    connection.unfinished = !isPositive(reply);
    const reusable = isDecisiveReply("end", reply) && reply.code !== 421;
    return { kind: "answered", stage: "end", reply, reusable };
  }
}

function isAccepted(stage: SmtpStage, { code }: Reply): boolean {
  return Math.floor(code / 100) === (stage === "data" ? 3 : 2);
}

function mailCommand({ capabilities }: SmtpConnection, message: OutgoingMessage): string {
  const utf8 = refusalOfUtf8(message) !== null;
  const size = capabilities.size ? ` SIZE=${message.bytes.length}` : "";
  const needs8Bit = capabilities.eightBitMime && (utf8 || !isAscii(message.bytes));
  const parameters = `${size}${needs8Bit ? " BODY=8BITMIME" : ""}${utf8 ? " SMTPUTF8" : ""}`;
  return `MAIL FROM:<${message.mailFrom}>${parameters}\r\n`;
}

/**
 * Returns a refusal if the message needs SMTPUTF8 and the server does not offer it (RFC 6531 §3.5),
 * because every try at this server would fail. Returns null if the server can accept the message.
 * The worker puts non-ASCII text into headers only for mail addresses that have no ASCII form.
 */
function refusalOfUtf8({ mailFrom, rcptTo, bytes }: OutgoingMessage): Reply | null {
  if ([mailFrom, rcptTo].some((address) => /[^\p{ASCII}]/u.test(address)))
    return { code: 553, lines: ["5.6.7 The server takes no addresses beyond ASCII (SMTPUTF8)"] };
  if (isAscii(bytes.subarray(0, headerEnd(bytes)))) return null;
  return { code: 554, lines: ["5.6.9 The server takes no headers beyond ASCII (SMTPUTF8)"] };
}

/**
 * Returns a refusal if the message has an 8-bit part and the server does not offer 8BITMIME (RFC
 * 6152 §3). Such a part is inside multipart/signed, where a conversion would break the sender's
 * signature.
 */
function refusalOfEightBit({ bytes, isConverted }: OutgoingMessage): Reply | null {
  if (!isConverted || isAscii(bytes.subarray(headerEnd(bytes)))) return null;
  return { code: 554, lines: ["5.6.3 The server takes no 8-bit parts (8BITMIME)"] };
}

function headerEnd(bytes: Uint8Array): number {
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("\r\n\r\n");
  return end < 0 ? bytes.length : end;
}
