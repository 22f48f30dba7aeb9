// Judges an attempt's outcome for its recipient: delivered, delayed until the next attempt, or
// bounced, with the bounce's details (contract.md §Bounces). Pure.
import type { BounceDetails, Outcome } from "../message.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { classify } from "../../classify/classify.ts";
import { OWN_REPLIES } from "../../classify/own-replies.ts";
import { onOneLine, replyLine } from "../../classify/reply-line.ts";

export type Verdict =
  | { readonly kind: "delivered"; readonly smtpCode: number }
  | { readonly kind: "delayed"; readonly smtpCode: number; readonly nextAttemptAt: number }
  /**
   * `refusedAt` is the stage at which the server refused, which helps to decide whether it refused
   * the address. Null means that no server refused.
   */
  | {
      readonly kind: "bounced";
      readonly bounce: BounceDetails;
      readonly refusedAt: SmtpStage | null;
    };

type ReplyOutcome = Extract<Outcome, { kind: "reply" }>;
type FailureOutcome = Extract<Outcome, { kind: "failure" }>;

// Classifications that add nothing to `expired`, because they only say that no verdict came.
const NO_REASON: ReadonlySet<string | null> = new Set([null, "TransientFailure", "Uncategorized"]);

/**
 * Judges one outcome. `nextAttemptAt` is the time of the next attempt by retry-schedule.ts, in Unix
 * milliseconds. Null means that the recipient's 72 hours are over, so the result is an `expired`
 * bounce instead of a delay.
 */
export function judge(
  outcome: Outcome,
  { nextAttemptAt }: { readonly nextAttemptAt: number | null },
): Verdict {
  return outcome.kind === "reply"
    ? judgeReply(outcome, nextAttemptAt)
    : judgeFailure(outcome, nextAttemptAt);
}

function judgeReply(reply: ReplyOutcome, nextAttemptAt: number | null): Verdict {
  const kind = Math.floor(reply.code / 100);
  if (kind === 2 && reply.stage === "end") return { kind: "delivered", smtpCode: reply.code };
  // A server that declines STARTTLS although a policy demands TLS has not refused the message: RFC
  // 8461 §5 asks to try again.
  if (reply.stage === "starttls")
    return judgeFailure(
      { kind: "failure", cause: "tls", detail: reply.text, mxHost: reply.mxHost },
      nextAttemptAt,
    );
  const permanent = kind === 5;
  if (!permanent && nextAttemptAt !== null)
    return { kind: "delayed", smtpCode: reply.code, nextAttemptAt };
  const classification = classify(reply);
  const bounce: BounceDetails = {
    type: permanent ? "permanent" : "expired",
    classification: !permanent && NO_REASON.has(classification) ? null : classification,
    smtpCode: reply.code,
    smtpResponse: replyLine(String(reply.code), reply.enhanced, onOneLine(reply.text)),
  };
  return { kind: "bounced", bounce, refusedAt: permanent ? reply.stage : null };
}

function judgeFailure({ cause }: FailureOutcome, nextAttemptAt: number | null): Verdict {
  const { code, text, final, classification = null } = OWN_REPLIES[cause];
  if (!final && nextAttemptAt !== null) return { kind: "delayed", smtpCode: code, nextAttemptAt };
  const bounce: BounceDetails = {
    type: final ? "transient" : "expired",
    classification,
    smtpCode: code,
    smtpResponse: text,
  };
  return { kind: "bounced", bounce, refusedAt: null };
}
