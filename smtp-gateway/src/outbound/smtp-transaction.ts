// One message over one connection: MAIL, RCPT, DATA (in one flight where the server pipelines), the
// message, the final dot. It tells apart what may be tried elsewhere (nothing was handed over) from
// what may not (a verdict, or a final dot without an answer).
import { isAscii } from "node:buffer";
import { DotStuffer } from "./dot-stuffing.ts";
import { failure, type Mail, type EgressOutcome, type TransactionStage } from "./outcome.ts";
import { Lost, type SmtpConnection } from "./smtp-connection.ts";
import { replyOutcome } from "./smtp-open.ts";
import type { Reply } from "./smtp-reply.ts";
import type { Timeouts } from "./timeouts.ts";

const BLOCK_BYTES = 64 * 1024;

export type Transaction =
  /** The outcome stands. */
  | { readonly kind: "ended"; readonly outcome: EgressOutcome; readonly reusable: boolean }
  /** The connection died before the final dot: another server may take the message. */
  | { readonly kind: "unsent"; readonly outcome: EgressOutcome }
  /** A connection used before turned out dead: a fresh one to the same server should be tried. */
  | { readonly kind: "stale" };

interface Progress {
  stage: TransactionStage;
  /** MAIL has its reply. */
  begun: boolean;
  refusal: { readonly stage: TransactionStage; readonly reply: Reply } | null;
  /** The final dot may have gone out. */
  dotSent: boolean;
}

/**
 * Runs one transaction. `onDot` hears of an outcome behind the final dot in the same turn of the
 * event loop as its reply is read. Never throws.
 */
export async function transact(
  connection: SmtpConnection,
  mail: Mail,
  timeouts: Timeouts,
  onDot: (outcome: EgressOutcome) => void,
): Promise<Transaction> {
  const reused = connection.transactions++ > 0;
  const progress: Progress = { stage: "mail", begun: false, refusal: null, dotSent: false };
  try {
    if (connection.takeEarly()) {
      // Every answer from here on would be taken for that to the command before.
      connection.destroy();
      return reused
        ? { kind: "stale" }
        : {
            kind: "unsent",
            outcome: failure("other", "an answer that nobody asked for", connection.host),
          };
    }
    const refusal = connection.capabilities.smtpUtf8 ? null : refusalOfUtf8(mail);
    if (refusal) return { kind: "unsent", outcome: replyOutcome(connection, "mail", refusal) };
    const over = await envelope(connection, mail, timeouts, progress, reused);
    if (over) return over;
    const outcome = await content(connection, mail.bytes, timeouts, progress);
    if (progress.dotSent) onDot(outcome);
    return {
      kind: "ended",
      outcome,
      reusable: outcome.kind === "reply" && outcome.stage === "end" && outcome.code !== 421,
    };
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    return broken(connection, progress, error, reused, onDot);
  }
}

function broken(
  connection: SmtpConnection,
  progress: Progress,
  lost: Lost,
  reused: boolean,
  onDot: (outcome: EgressOutcome) => void,
): Transaction {
  if (progress.dotSent) {
    const outcome = failure(
      "other",
      `unknown fate: ${lost.message} after the final dot`,
      connection.host,
    );
    onDot(outcome);
    return { kind: "ended", outcome, reusable: false };
  }
  if (progress.refusal) return ended(connection, progress.refusal, false);
  if (reused && !progress.begun) return { kind: "stale" };
  return {
    kind: "unsent",
    outcome: failure("other", `${lost.message} (${progress.stage.toUpperCase()})`, connection.host),
  };
}

/** null: the server waits for the message. Throws Lost. */
async function envelope(
  connection: SmtpConnection,
  mail: Mail,
  timeouts: Timeouts,
  progress: Progress,
  reused: boolean,
): Promise<Transaction | null> {
  const { pipelining } = connection.capabilities;
  const commands: [TransactionStage, string][] = [
    ["mail", mailCommand(connection, mail)],
    ["rcpt", `RCPT TO:<${mail.rcptTo}>\r\n`],
    ["data", "DATA\r\n"],
  ];
  const reset = connection.unfinished;
  connection.unfinished = false;
  if (pipelining)
    connection.send((reset ? "RSET\r\n" : "") + commands.map(([, line]) => line).join(""));
  else if (reset) connection.send("RSET\r\n");
  if (reset && (await connection.reply(timeouts.command)).code >= 300) {
    connection.destroy();
    return { kind: "stale" };
  }
  for (const [stage, line] of commands) {
    progress.stage = stage;
    if (!pipelining) connection.send(line);
    const reply = await connection.reply(stage === "data" ? timeouts.data : timeouts.command);
    if (reused && stage === "mail" && reply.code === 421) {
      connection.destroy();
      return { kind: "stale" };
    }
    progress.begun = true;
    if (progress.refusal) {
      // It waits for a message that has no recipient: leaving is the only answer that can't be
      // misunderstood.
      if (stage === "data" && reply.code < 400) return ended(connection, progress.refusal, false);
    } else if (!accepts(stage, reply)) {
      progress.refusal = { stage, reply };
      if (reply.code === 421 || reply.code < 400) return ended(connection, progress.refusal, false);
      if (!pipelining) break;
    }
  }
  return progress.refusal ? ended(connection, progress.refusal, true) : null;
}

function accepts(stage: TransactionStage, reply: Reply): boolean {
  const expected = stage === "data" ? 3 : 2;
  return Math.floor(reply.code / 100) === expected;
}

function ended(
  connection: SmtpConnection,
  refusal: { readonly stage: TransactionStage; readonly reply: Reply },
  reusable: boolean,
): Transaction {
  connection.unfinished = true;
  return { kind: "ended", outcome: verdict(connection, refusal.stage, refusal.reply), reusable };
}

/**
 * A 2xx or 3xx where none belongs must not pass for a delivery; 530 after a failed handshake is the
 * handshake's fault.
 */
function verdict(connection: SmtpConnection, stage: TransactionStage, reply: Reply): EgressOutcome {
  const belongs = reply.code >= 400 || (stage === "end" && reply.code < 300);
  if (!belongs)
    return failure(
      "other",
      `answered ${reply.code} out of turn (${stage.toUpperCase()})`,
      connection.host,
    );
  if (connection.tlsFailed && stage === "mail" && reply.code === 530) {
    return failure(
      "tls",
      "the handshake failed and the server takes nothing without TLS",
      connection.host,
    );
  }
  return replyOutcome(connection, stage, reply);
}

/** Sends the message and awaits the last word. Throws Lost. */
async function content(
  connection: SmtpConnection,
  bytes: Buffer,
  timeouts: Timeouts,
  progress: Progress,
): Promise<EgressOutcome> {
  const stuffer = new DotStuffer();
  let from = 0;
  for (; bytes.length - from > BLOCK_BYTES; from += BLOCK_BYTES) {
    const early = connection.takeEarly();
    if (early) return verdict(connection, "data", early);
    await connection.flush(stuffer.stuff(bytes.subarray(from, from + BLOCK_BYTES)), timeouts.block);
  }
  const early = connection.takeEarly();
  if (early) return verdict(connection, "data", early);
  progress.stage = "end";
  progress.dotSent = true;
  connection.send(stuffer.stuff(bytes.subarray(from)), stuffer.end());
  return verdict(connection, "end", await connection.reply(timeouts.final));
}

function mailCommand(connection: SmtpConnection, mail: Mail): string {
  const { size, eightBitMime } = connection.capabilities;
  const utf8 = refusalOfUtf8(mail) !== null;
  const parameters = [
    size ? ` SIZE=${mail.bytes.length}` : "",
    eightBitMime && (utf8 || !isAscii(mail.bytes)) ? " BODY=8BITMIME" : "",
    utf8 ? " SMTPUTF8" : "",
  ];
  return `MAIL FROM:<${mail.mailFrom}>${parameters.join("")}\r\n`;
}

/**
 * What a message that needs SMTPUTF8 is answered by a server without it, in the words of RFC 6531
 * section 3.5: no try could end otherwise. Null: any server can take it. The worker puts nothing
 * beyond ASCII into a header but addresses that have no other form.
 */
function refusalOfUtf8({ mailFrom, rcptTo, bytes }: Mail): Reply | null {
  const inEnvelope = [mailFrom, rcptTo].some((address) => /[^\p{ASCII}]/u.test(address));
  if (inEnvelope)
    return { code: 553, lines: ["5.6.7 The server takes no addresses beyond ASCII (SMTPUTF8)"] };
  const end = bytes.indexOf("\r\n\r\n");
  if (isAscii(end < 0 ? bytes : bytes.subarray(0, end))) return null;
  return { code: 554, lines: ["5.6.9 The server takes no headers beyond ASCII (SMTPUTF8)"] };
}
