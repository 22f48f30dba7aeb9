// Sends one message to one server over an open connection. The result tells whether the outcome is
// final, whether another server may be tried, and whether the connection can be used again.
import type { RefusedReuse } from "../smtp/reuse-limits.ts";
import { isDecisiveReply, runTransaction } from "../smtp/smtp-transaction.ts";
import { type SmtpStage, type Reply } from "../smtp/smtp-reply.ts";
import {
  dateNow,
  type DatedOutcome,
  type EgressOutcome,
  failure,
  replyOutcome,
} from "../outcome.ts";
import type { Attempt } from "./attempt.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { Timeouts } from "../config.ts";

export type SendResult =
  /** The outcome is final. */
  | { readonly kind: "ended"; readonly outcome: DatedOutcome; readonly reusable: boolean }
  /** The server did not accept the message, so another server may accept it. */
  | { readonly kind: "unsent"; readonly outcome: DatedOutcome }
  /**
   * The connection was used before, and is dead or was refused. A fresh connection to the same
   * server decides.
   */
  | { readonly kind: "stale"; readonly refused: RefusedReuse | null }
  /** The server can't read commands that come together. A fresh connection decides. */
  | { readonly kind: "unread" };

/**
 * Runs one transaction. An outcome after the final dot is recorded in the same turn of the event
 * loop in which its reply is read. Never throws.
 */
export async function sendMail(
  connection: ServerConnection,
  attempt: Attempt,
  timeouts: Timeouts,
): Promise<SendResult> {
  const result = await runTransaction(connection, attempt.mail, timeouts);
  if (result.kind === "stale" || result.kind === "unread") return result;
  if (result.kind === "unsupported")
    return { kind: "unsent", outcome: dateNow(replyOutcome(connection, "mail", result.reply)) };
  const outcome = dateNow(
    result.kind === "answered"
      ? outcomeOfReply(connection, result.stage, result.reply)
      : outcomeOfBreak(connection, result.stage, result.why),
  );
  if (result.stage === "end") attempt.record(outcome);
  else if (result.kind === "broken") return { kind: "unsent", outcome };
  return { kind: "ended", outcome, reusable: result.kind === "answered" && result.reusable };
}

/**
 * Returns the outcome for a reply. A 2xx or 3xx at the wrong step is not a delivery. A 530 after a
 * failed handshake is a failure of TLS.
 */
function outcomeOfReply(
  connection: ServerConnection,
  stage: SmtpStage,
  reply: Reply,
): EgressOutcome {
  const { host } = connection;
  if (!isDecisiveReply(stage, reply))
    return failure("other", `answered ${reply.code} out of turn (${stage.toUpperCase()})`, host);
  if (connection.tlsFailed && stage === "mail" && reply.code === 530)
    return failure(
      "tls",
      "the TLS handshake failed, and the server accepts no mail without TLS",
      host,
    );
  return replyOutcome(connection, stage, reply);
}

function outcomeOfBreak({ host }: ServerConnection, stage: SmtpStage, why: string): EgressOutcome {
  const detail =
    stage === "end"
      ? `unknown fate: ${why} after the final dot`
      : `${why} (${stage.toUpperCase()})`;
  return failure("other", detail, host);
}
