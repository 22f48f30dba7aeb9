// One message over one connection to the relay: MAIL, RCPT, DATA (in one flight where it
// pipelines), the message, the final dot. Each copy has an envelope of its own, so each recipient
// has a reply of its own. It tells apart what may be tried once more (nothing was handed over) from
// what may not (a verdict, or a final dot without an answer).
import { dotStuffed } from "../../../lib/dot-stuffing.ts";
import type { Outcome, Stage } from "../../message.ts";
import type { OutboundCopy } from "./courier.ts";
import { Lost, type SmtpConnection } from "./smtp-connection.ts";
import type { Reply } from "./smtp-reply.ts";
import { failed, replyOutcome, type Timeouts } from "./smtp-session.ts";

const BLOCK_BYTES = 64 * 1024;
const MAILBOX =
  /^(?:[^\s\p{Cc}<>()[\]\\,;:@"]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")@[^\s\p{Cc}<>()[\]\\,;:@"]+$/u;
const ADDRESS_CHARACTERS = 320;
const NON_ASCII = /[^\p{ASCII}]/u;
const CR = 0x0d;
const LF = 0x0a;

export type Transaction =
  /** `reusable`: the connection may carry another message. */
  | { readonly kind: "ended"; readonly outcome: Outcome; readonly reusable: boolean }
  /** A connection used before turned out dead: a fresh one should be tried. */
  | { readonly kind: "stale" };

interface Refusal {
  readonly stage: Stage;
  readonly reply: Reply;
}

interface Progress {
  stage: Stage;
  /** MAIL has its reply. */
  begun: boolean;
  refusal: Refusal | null;
  /** The final dot may have gone out. */
  dotSent: boolean;
}

/** Why a parcel can go to no relay at all; null: it can. */
export function unmailable({ mailFrom, rcptTo, pool }: OutboundCopy, host: string): Outcome | null {
  if (pool !== null) return failed("other", "a relay has no IP pools", host);
  if (!isMailbox(mailFrom)) return failed("other", "the return-path is no address", host);
  return isMailbox(rcptTo) ? null : failed("no_mail_server", "the recipient is no address", host);
}

/** Runs one transaction. Never throws but for a fault of ours. */
export async function transact(
  connection: SmtpConnection,
  parcel: OutboundCopy,
  timeouts: Timeouts,
): Promise<Transaction> {
  const reused = connection.transactions > 0;
  connection.transactions += 1;
  const progress: Progress = { stage: "mail", begun: false, refusal: null, dotSent: false };
  try {
    if (connection.takeEarly()) {
      // Every answer from here on would be taken for that to the command before.
      connection.close();
      return reused
        ? { kind: "stale" }
        : broken(connection, "an answer that nobody asked for", progress);
    }
    const refusal = connection.capabilities.smtpUtf8 ? null : refusalOfUtf8(parcel);
    if (refusal)
      return { kind: "ended", outcome: replyOutcome(connection, "mail", refusal), reusable: true };
    if (!(await envelope(connection, parcel, timeouts, progress, reused))) return { kind: "stale" };
    if (progress.refusal) return refused(connection, progress.refusal);
    const { stage, reply } = await content(
      connection,
      dotStuffed(parcel.bytes),
      timeouts,
      progress,
    );
    return {
      kind: "ended",
      outcome: replyOutcome(connection, stage, reply),
      reusable: stage === "end" && reply.code !== 421,
    };
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    if (progress.refusal) return refused(connection, progress.refusal);
    if (reused && !progress.begun) return { kind: "stale" };
    return broken(connection, error.message, progress);
  }
}

function broken(
  connection: SmtpConnection,
  why: string,
  { dotSent, stage }: Progress,
): Transaction {
  const detail = dotSent ? `unknown fate: ${why} after the final dot` : `${why} (${stage})`;
  return { kind: "ended", outcome: failed("other", detail, connection.host), reusable: false };
}

function refused(connection: SmtpConnection, { stage, reply }: Refusal): Transaction {
  connection.unfinished = true;
  // A server that waits for a message after all, or speaks out of turn, is left: nothing that is
  // said on can be misunderstood then.
  return {
    kind: "ended",
    outcome: replyOutcome(connection, stage, reply),
    reusable: !connection.lost && reply.code >= 400 && reply.code !== 421,
  };
}

/**
 * Has the server waiting for the message, or notes its refusal. False: the connection was dead.
 * Throws Lost.
 */
async function envelope(
  connection: SmtpConnection,
  parcel: OutboundCopy,
  timeouts: Timeouts,
  progress: Progress,
  reused: boolean,
): Promise<boolean> {
  const { pipelining } = connection.capabilities;
  const commands: readonly (readonly [Stage, string])[] = [
    ["mail", mailCommand(connection, parcel)],
    ["rcpt", `RCPT TO:<${parcel.rcptTo}>`],
    ["data", "DATA"],
  ];
  const reset = connection.unfinished ? ["RSET"] : [];
  connection.unfinished = false;
  const first = pipelining ? [...reset, ...commands.map(([, line]) => line)] : reset;
  if (first.length > 0) await connection.send(first.join("\r\n"), timeouts.command);
  if (reset.length > 0 && (await connection.reply(timeouts.command)).code >= 300) return false;
  for (const [stage, line] of commands) {
    progress.stage = stage;
    if (!pipelining) await connection.send(line, timeouts.command);
    const reply = await connection.reply(stage === "data" ? timeouts.data : timeouts.command);
    if (reused && stage === "mail" && reply.code === 421) return false;
    progress.begun = true;
    if (progress.refusal) {
      // It asks for a message that has no recipient.
      if (stage === "data" && reply.code < 400) connection.close();
    } else if (!accepts(stage, reply)) {
      progress.refusal = { stage, reply };
      if (!pipelining || reply.code === 421 || reply.code < 400) break;
    }
  }
  return true;
}

function accepts(stage: Stage, { code }: Reply): boolean {
  return Math.floor(code / 100) === (stage === "data" ? 3 : 2);
}

/**
 * Sends the message, and gives the last word on it. A server that refuses half way is heard. Throws
 * Lost.
 */
async function content(
  connection: SmtpConnection,
  bytes: Uint8Array,
  timeouts: Timeouts,
  progress: Progress,
): Promise<Refusal> {
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const early = connection.takeEarly();
    if (early) return { stage: "data", reply: early };
    const block = bytes.subarray(from, from + BLOCK_BYTES);
    if (from + BLOCK_BYTES >= bytes.length) {
      progress.stage = "end";
      progress.dotSent = true;
    }
    await connection.send(block, timeouts.block);
  }
  return { stage: "end", reply: await connection.reply(timeouts.final) };
}

function mailCommand({ capabilities }: SmtpConnection, parcel: OutboundCopy): string {
  const utf8 = refusalOfUtf8(parcel) !== null;
  const size = capabilities.size ? ` SIZE=${parcel.bytes.length}` : "";
  const body =
    capabilities.eightBitMime && (utf8 || parcel.bytes.some((byte) => byte > 0x7f))
      ? " BODY=8BITMIME"
      : "";
  return `MAIL FROM:<${parcel.mailFrom}>${size}${body}${utf8 ? " SMTPUTF8" : ""}`;
}

/**
 * What a message that needs SMTPUTF8 is answered where the relay has none, in the words of RFC 6531
 * section 3.5, and as the gateway answers it: no try could end otherwise. Null: any relay can take
 * it. Nothing beyond ASCII is in a header but addresses that have no other form.
 */
function refusalOfUtf8({ mailFrom, rcptTo, bytes }: OutboundCopy): Reply | null {
  if (NON_ASCII.test(mailFrom) || NON_ASCII.test(rcptTo))
    return { code: 553, lines: ["5.6.7 The relay takes no addresses beyond ASCII (SMTPUTF8)"] };
  if (!hasHeaderBeyondAscii(bytes)) return null;
  return { code: 554, lines: ["5.6.9 The relay takes no headers beyond ASCII (SMTPUTF8)"] };
}

function hasHeaderBeyondAscii(bytes: Uint8Array): boolean {
  const found = bytes.findIndex(
    (byte, at) => byte > 0x7f || (byte === LF && bytes[at - 2] === LF && bytes[at - 1] === CR),
  );
  return (bytes[found] ?? 0) > 0x7f;
}

/** Whether it can stand between angle brackets. */
function isMailbox(address: string): boolean {
  return address.length <= ADDRESS_CHARACTERS && MAILBOX.test(address);
}
