// Sends one message over one connection: MAIL, RCPT, DATA (in one flight if the server pipelines),
// the message, the final dot. A message has one recipient, so that each recipient has its own
// replies. The result shows whether the message may be tried again (nothing was handed over) or not
// (the message got a reply, or its final dot got none).
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
const ADDRESS_MAX_CHARACTERS = 320;
const MAILBOX =
  /^(?:[^\s\p{Cc}<>()[\]\\,;:@"]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")@([^\s\p{Cc}<>()[\]\\,;:@"]+)$/u;

/**
 * A message and its envelope. `mailboxDomain` has accepted the addresses, or the sender is empty.
 */
export interface OutgoingMessage {
  readonly mailFrom: string;
  readonly rcptTo: string;
  /** The message with CRLF line ends, without dot-stuffing. */
  readonly bytes: Uint8Array;
}

interface StagedReply {
  readonly stage: SmtpStage;
  readonly reply: Reply;
}

export type TransactionResult =
  /** `reusable`: the connection may carry another message. */
  | (StagedReply & { readonly kind: "answered"; readonly reusable: boolean })
  /** The message needs SMTPUTF8, which the server lacks. `reply` is ours (RFC 6531 §3.5). */
  | { readonly kind: "unsupported"; readonly reply: Reply }
  /** The connection broke. At stage `end` the fate of the message is unknown. */
  | { readonly kind: "broken"; readonly stage: SmtpStage; readonly why: string }
  /**
   * A connection that was used before is dead (`refused` is null), or the server's refusal may be
   * about what it has carried: a fresh connection decides.
   */
  | { readonly kind: "stale"; readonly refused: RefusedReuse | null };

/** Runs one transaction. Never throws. */
export async function runTransaction(
  connection: SmtpConnection,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
): Promise<TransactionResult> {
  if (connection.takeEarly()) {
    // The early reply would shift all later replies by one command.
    connection.close();
    return connection.transactions > 0
      ? { kind: "stale", refused: null }
      : { kind: "broken", stage: "mail", why: "an unsolicited reply" };
  }
  const unsupported = connection.capabilities.smtpUtf8 ? null : refusalOfUtf8(message);
  if (unsupported) return { kind: "unsupported", reply: unsupported };
  return new SmtpTransaction(connection, message, timeouts).run();
}

/** Tells whether a reply decides about the message: any refusal, or a 2xx to the message. */
export function isDecisiveReply(stage: SmtpStage, reply: Reply): boolean {
  return reply.code >= 400 || (stage === "end" && isPositive(reply));
}

/**
 * Returns the domain of an address in lower case; null: the address can't stand between `<` and
 * `>`.
 */
export function mailboxDomain(address: string): string | null {
  if (address.length > ADDRESS_MAX_CHARACTERS) return null;
  return MAILBOX.exec(address)?.[1]?.toLowerCase() ?? null;
}

class SmtpTransaction {
  readonly #connection: SmtpConnection;
  readonly #message: OutgoingMessage;
  readonly #timeouts: SmtpTimeouts;
  /** Number of transactions that had begun on the connection before this one. */
  readonly #before: number;
  #stage: SmtpStage = "mail";
  /** True: MAIL has got its reply. */
  #hasBegun = false;
  #refusal: StagedReply | null = null;

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
      if (this.#refusal) return this.#endRefused(this.#refusal);
      if (this.#before > 0 && !this.#hasBegun) return { kind: "stale", refused: null };
      return { kind: "broken", stage: this.#stage, why: error.message };
    }
  }

  /**
   * Sends the envelope. Then either the server waits for the message, or `#refusal` is set. Returns
   * false if the server refused to reset the previous transaction. Throws Lost.
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
    if (flight !== "") connection.send(flight);
    if (reset && !isPositive(await connection.reply(this.#timeouts.command))) {
      // DATA is on its way, so the server could take further commands for a message.
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
        // The server waits for a message that has no recipient. Only closing the connection is
        // unambiguous.
        if (stage === "data" && reply.code < 400) connection.close();
      } else if (!isAccepted(stage, reply)) {
        this.#refusal = { stage, reply };
        if (!pipelining || reply.code === 421 || reply.code < 400) break;
      }
    }
    return true;
  }

  #endRefused({ stage, reply }: StagedReply): TransactionResult {
    const connection = this.#connection;
    if (this.#before === 0 && stage === "mail")
      connection.refusedSender = this.#refusedSender(reply);
    if (this.#before > 0 && !this.#isAboutMessage(stage, reply)) {
      // A server sends 421 for many reasons, for example because the connection is old.
      const refused = reply.code === 421 ? null : { stage, after: this.#before };
      return { kind: "stale", refused };
    }
    // After a reply at the wrong step, later replies could be misunderstood.
    const reusable = !connection.lost && reply.code >= 400 && reply.code !== 421;
    return { kind: "answered", stage, reply, reusable };
  }

  /**
   * Tells whether a refusal on a used connection is certainly not about the messages before. A
   * refusal of MAIL is certain if the sender got the same one on the unused connection. A later
   * refusal is certain, except for 503, which is about the order of commands (RFC 5321 §4.2.2).
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

  /** Sends the message and waits for its reply. An early refusal stops the sending. Throws Lost. */
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
 * Returns the refusal of a message that needs SMTPUTF8 by a server that does not offer it (RFC 6531
 * §3.5), because every attempt there would fail; null: any server can take the message. The only
 * text beyond ASCII that the worker puts into headers is addresses that have no other form.
 */
function refusalOfUtf8({ mailFrom, rcptTo, bytes }: OutgoingMessage): Reply | null {
  if ([mailFrom, rcptTo].some((address) => /[^\p{ASCII}]/u.test(address)))
    return { code: 553, lines: ["5.6.7 The server takes no addresses beyond ASCII (SMTPUTF8)"] };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf("\r\n\r\n");
  if (isAscii(end < 0 ? buffer : buffer.subarray(0, end))) return null;
  return { code: 554, lines: ["5.6.9 The server takes no headers beyond ASCII (SMTPUTF8)"] };
}
