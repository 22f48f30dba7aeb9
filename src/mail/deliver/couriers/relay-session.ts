// A session with the relay: opens a connection, sends messages, and returns each result as an
// outcome. TLS is always required, because without TLS the password and the mail would be sent
// unencrypted. A relay that offers no STARTTLS, or whose certificate is not for its name, gets no
// password and no mail (docs/couriers.md).
import {
  LostConnection,
  SmtpConnection,
  type SmtpTimeouts,
} from "../../../../smtp-gateway/src/smtp/smtp-connection.ts";
import {
  openSmtpSession,
  type OpeningResult,
} from "../../../../smtp-gateway/src/smtp/smtp-opening.ts";
import type { RefusedReuse } from "../../../../smtp-gateway/src/smtp/reuse-limits.ts";
import {
  foldReply,
  type Reply,
  type SmtpStage,
} from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import {
  isDecisiveReply,
  mailboxDomain,
  runTransaction,
} from "../../../../smtp-gateway/src/smtp/smtp-transaction.ts";
import type { SmtpRelay } from "../../../settings.ts";
import { logWarning } from "../../../lib/log.ts";
import type { FailureCause } from "../../../classify/own-replies.ts";
import type { Outcome } from "../../message.ts";
import type { OutboundCopy } from "../courier.ts";
import { TLS, WorkerdTransport } from "./workerd-transport.ts";

export type RelayOpening = { readonly connection: SmtpConnection } | { readonly refused: Outcome };

export type RelayResult =
  /**
   * The transaction has an outcome. `reusable` means that the connection may carry another message.
   */
  | { readonly kind: "ended"; readonly outcome: Outcome; readonly reusable: boolean }
  /**
   * A reused connection is dead, or the relay refused the message on it. The result of a new
   * connection decides.
   */
  | { readonly kind: "stale"; readonly refused: RefusedReuse | null }
  /**
   * The relay can't read several commands that come together. The result of a new connection
   * decides.
   */
  | { readonly kind: "unread" };

/** The step at which opening a session failed, and the outcome for the messages of that session. */
interface FailedOpening {
  readonly step: string;
  readonly outcome: Outcome;
}

/** Opens a session. `name` is the name for EHLO. Throws only for a fault of the service. */
export async function openRelay(
  relay: SmtpRelay,
  name: string,
  timeouts: SmtpTimeouts,
): Promise<RelayOpening> {
  const opened = await connectRelay(relay, name, timeouts);
  if (!("outcome" in opened)) return { connection: opened };
  const { step, outcome } = opened;
  const why = outcome.kind === "reply" ? outcome.code : outcome.detail;
  logWarning("relay_refused", { relay: relay.host, step, why });
  return { refused: outcome };
}

/** Sends one message. Throws only for a fault of the service. */
export async function sendCopy(
  connection: SmtpConnection,
  copy: OutboundCopy,
  timeouts: SmtpTimeouts,
): Promise<RelayResult> {
  const result = await runTransaction(connection, { ...copy, isConverted: true }, timeouts);
  if (result.kind === "stale" || result.kind === "unread") return result;
  if (result.kind === "unsupported") {
    const outcome = replyOutcome(connection, "mail", result.reply);
    return { kind: "ended", outcome, reusable: true };
  }
  if (result.kind === "answered") {
    const outcome = replyOutcome(connection, result.stage, result.reply);
    return { kind: "ended", outcome, reusable: result.reusable };
  }
  const { stage, why } = result;
  const detail = stage === "end" ? `unknown fate: ${why} after the final dot` : `${why} (${stage})`;
  return { kind: "ended", outcome: failure("other", detail, connection.host), reusable: false };
}

/**
 * Returns the outcome of a copy that no relay can take. Null means that a relay can take the copy.
 */
export function refuseCopy({ mailFrom, rcptTo, pool }: OutboundCopy, host: string): Outcome | null {
  if (pool !== null) return failure("other", "a relay has no IP pools", host);
  if (mailboxDomain(mailFrom) === null)
    return failure("other", "the return-path is not an address", host);
  if (mailboxDomain(rcptTo) === null)
    return failure("no_mail_server", "the recipient is not an address", host);
  return null;
}

async function connectRelay(
  relay: SmtpRelay,
  name: string,
  timeouts: SmtpTimeouts,
): Promise<SmtpConnection | FailedOpening> {
  let connection: SmtpConnection;
  try {
    connection = await dial(relay, timeouts.connect);
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
    const cause = (await isTlsToBlame(relay, timeouts.connect)) ? "tls" : "connect";
    const step = "connect";
    return { step, outcome: failure(cause, `${error.message} (${step})`, relay.host) };
  }
  const result = await openSmtpSession(connection, {
    name,
    allowHelo: false,
    tls: relay.implicitTls ? "implicit" : "required",
    credentials: relay,
    isOwnName: () => false,
    timeouts,
  });
  return result.kind === "open" ? connection : toFailedOpening(connection, result);
}

/** Connects, with the TLS handshake if TLS is implicit. Throws LostConnection if this fails. */
async function dial(
  relay: Pick<SmtpRelay, "host" | "port" | "implicitTls">,
  ms: number,
): Promise<SmtpConnection> {
  const transport = new WorkerdTransport(relay);
  const connection = new SmtpConnection(transport, relay.host, relay.implicitTls ? TLS : null);
  await connection.within(transport.opened(), ms, "no connection in time");
  return connection;
}

/**
 * Returns whether a handshake failed. With implicit TLS, a failed handshake and a refused
 * connection give the same error. If a plain connection succeeds, the handshake has failed.
 */
async function isTlsToBlame({ host, port, implicitTls }: SmtpRelay, ms: number): Promise<boolean> {
  if (!implicitTls) return false;
  try {
    (await dial({ host, port, implicitTls: false }, ms)).close();
    return true;
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
    return false;
  }
}

function toFailedOpening(
  connection: SmtpConnection,
  result: Exclude<OpeningResult, { readonly kind: "open" }>,
): FailedOpening {
  const { host } = connection;
  if (result.kind === "own_name")
    throw new Error("the SMTP client mistook the relay for this service");
  const { step } = result;
  if (result.kind === "unsupported") {
    const outcome =
      step === "starttls"
        ? failure("tls", "the relay offers no STARTTLS", host)
        : failure("other", "the relay offers neither AUTH PLAIN nor LOGIN", host);
    return { step, outcome };
  }
  if (result.kind === "refused") return { step, outcome: outcomeOfRefusal(connection, result) };
  const { how, message } = result.lost;
  const isSilent = step === "greeting" && how === "timeout";
  const cause = step === "starttls" ? "tls" : isSilent ? "connect" : "other";
  return { step, outcome: failure(cause, `${message} (${step})`, host) };
}

/**
 * Returns the outcome of a session that the relay refused. The relay has refused no recipient and
 * read no message. If a 5xx to a session bounced messages, a relay that refuses all sessions would
 * bounce all mail of the service. So a 5xx counts as a failure on the sending side, like every
 * refusal of the service's password. A 4xx and every reply to STARTTLS only delay the messages
 * (judge.ts).
 */
function outcomeOfRefusal(
  connection: SmtpConnection,
  { step, reply }: Extract<OpeningResult, { readonly kind: "refused" }>,
): Outcome {
  const { host } = connection;
  if (step === "auth") return failure("other", `AUTH was answered ${reply.code}`, host);
  const stage = step === "greeting" ? "connect" : step;
  if (reply.code >= 500 && step !== "starttls")
    return failure("other", `answered ${reply.code} (${stage})`, host);
  return replyOutcome(connection, stage, reply);
}

function replyOutcome({ host, tls }: SmtpConnection, stage: SmtpStage, reply: Reply): Outcome {
  if (!isDecisiveReply(stage, reply))
    return failure("other", `answered ${reply.code} out of turn (${stage})`, host);
  return { kind: "reply", code: reply.code, ...foldReply(reply), stage, mxHost: host, tls };
}

function failure(cause: FailureCause, detail: string, mxHost: string): Outcome {
  return { kind: "failure", cause, detail, mxHost };
}
