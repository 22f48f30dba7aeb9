// Decides the meaning of an event of the Email Service for the recipient (docs/couriers.md). The
// result is a complaint, or a settlement of the attempt by the same rules as for a mail server's
// reply. Pure.
import type { LastReply, Settlement } from "../../../rpc/ledger-calls.ts";
import type { ProviderRefusal } from "../../../classify/provider-refusals.ts";
import { EXPIRY_AFTER_MS } from "../../../limits.ts";
import type { AttemptRecord, Outcome } from "../../message.ts";
import { toAttemptRecord } from "../attempt-record.ts";
import { withWayToLift } from "../provider-suppression.ts";
import { nextAttempt } from "../retry-schedule.ts";
import type { EmailServiceEvent } from "./email-service-event.ts";

/** The facts of the attempt that an event is about. */
interface AttemptFacts {
  readonly recipient: string;
  readonly attempt: number;
  /** The start of the message's 72 hours (mail/message-start.ts), in Unix milliseconds. */
  readonly startsAt: number;
  /** True if the attempt was never settled, so that its `email.sent` is missing. */
  readonly isUnsettled: boolean;
  readonly now: number;
  /** A random number in [0, 1) that varies the waits. */
  readonly jitter: number;
  /** Divisor of all waits, at least 1. */
  readonly speedup: number;
}

export type EventVerdict =
  | (Pick<Settlement, "nextAttemptAt" | "awaits"> & {
      readonly kind: "settled";
      readonly record: AttemptRecord;
    })
  | { readonly kind: "complaint"; readonly feedbackType: string };

const REJECTED_BY_POLICY = { code: 550, enhanced: "5.7.1" } as const;
const REJECTED_CONTENT = { code: 554, enhanced: "5.6.0" } as const;
/** The Email Service's names for kinds of rejections. The first row that matches counts. */
const REJECTIONS: readonly (readonly [RegExp, ProviderRefusal])[] = [
  [/suppress/i, "suppressed_by_provider"],
  [/valid/i, "content_refused_by_provider"],
  [/recipient|destination/i, "recipient_not_allowed_by_provider"],
  [/sender|domain|onboard/i, "sender_not_set_up_at_provider"],
];
/** Reply codes of a bounce whose event quotes no reply. */
const HARD = { code: 550, enhanced: "5.0.0" } as const;
const SOFT = { code: 450, enhanced: "4.0.0" } as const;

export function judgeEvent(event: EmailServiceEvent, facts: AttemptFacts): EventVerdict {
  switch (event.kind) {
    case "complained":
      return { kind: "complaint", feedbackType: event.feedbackType };
    case "deferred":
      return deferredVerdict(event, facts);
    case "failed":
      return failedVerdict(event, facts);
    case "delivered":
      return toSettlement(deliveredOutcome(event), facts, null);
    case "bounced":
      return bouncedVerdict(event, facts);
    case "rejected":
      return rejectedVerdict(event, facts);
  }
}

/**
 * Returns the settlement of a deferral. The Email Service continues to try, so the attempt stays
 * open until the recipient's 72 hours are over.
 */
function deferredVerdict(event: EmailServiceEvent, facts: AttemptFacts): EventVerdict {
  const until = Math.floor(facts.startsAt + EXPIRY_AFTER_MS / facts.speedup);
  const { reply } = event;
  const isTemporary = reply !== null && reply.code >= 400 && reply.code < 500;
  const lastReply = isTemporary ? reply : { ...SOFT, text: reply?.text ?? event.reason };
  const { record } = toSettlement(toReply(lastReply), facts, until);
  return {
    kind: "settled",
    record,
    nextAttemptAt: null,
    awaits: { until: Math.max(until, facts.now), lastReply },
  };
}

/**
 * Returns the settlement of a failure. If the Email Service failed without a refusal, it delivered
 * nothing, and the next attempt follows by the retry schedule. A refusal that the event quotes
 * counts like any reply.
 */
function failedVerdict(event: EmailServiceEvent, facts: AttemptFacts): EventVerdict {
  const { startsAt, attempt, now, jitter, speedup } = facts;
  const next = nextAttempt(startsAt, attempt, now, jitter, speedup);
  const { reply } = event;
  const outcome: Outcome =
    reply !== null && reply.code >= 400
      ? toReply(reply)
      : { kind: "failure", cause: "other", detail: event.reason, mxHost: null };
  return toSettlement(outcome, facts, next);
}

/**
 * Returns the settlement of a rejection. The Email Service refused before any server was asked, so
 * its explanation never suppresses the address.
 */
function rejectedVerdict(
  { reason, rejectedAs }: EmailServiceEvent,
  facts: AttemptFacts,
): EventVerdict {
  const codes = /valid/i.test(rejectedAs) ? REJECTED_CONTENT : REJECTED_BY_POLICY;
  const refusal = REJECTIONS.find(([kind]) => kind.test(rejectedAs))?.[1] ?? "refused_by_provider";
  const text = refusal === "suppressed_by_provider" ? withWayToLift(reason) : reason;
  return toSettlementOfOwnWords({ ...codes, text }, refusal, facts);
}

/**
 * Judges a bounce. If the event quotes no server's reply, the text is by the Email Service itself.
 * Such a text never suppresses the address.
 */
function bouncedVerdict(
  { reply, reason, isHard }: EmailServiceEvent,
  facts: AttemptFacts,
): EventVerdict {
  if (reply !== null && reply.code >= 400) return toSettlement(toReply(reply), facts, null);
  const words = { ...(isHard ? HARD : SOFT), text: reason };
  return toSettlementOfOwnWords(words, "undelivered_by_provider", facts);
}

function toSettlementOfOwnWords(
  reply: LastReply,
  providerRefusal: ProviderRefusal,
  facts: AttemptFacts,
): EventVerdict {
  const settlement = toSettlement({ ...toReply(reply), providerRefusal }, facts, null);
  return { ...settlement, record: { ...settlement.record, suppress: null } };
}

function toSettlement(
  outcome: Outcome,
  { recipient, attempt, isUnsettled, now }: AttemptFacts,
  nextAttemptAt: number | null,
): EventVerdict & { kind: "settled" } {
  // `email.sent` gets a time one millisecond before the event that follows it.
  const handedAt = isUnsettled ? now - 1 : null;
  const context = { recipient, attempt, handedAt, nextAttemptAt, now };
  const { record, isTerminal } = toAttemptRecord(outcome, context);
  return { kind: "settled", record, nextAttemptAt: isTerminal ? null : nextAttemptAt };
}

function deliveredOutcome({ reply }: EmailServiceEvent): Outcome {
  const isSuccess = reply !== null && reply.code < 300;
  const taken = isSuccess ? reply : { code: 250, enhanced: null, text: reply?.text ?? "" };
  return { kind: "reply", ...taken, stage: "end", mxHost: null, tls: null };
}

function toReply(reply: LastReply): Extract<Outcome, { kind: "reply" }> {
  return { kind: "reply", ...reply, stage: null, mxHost: null, tls: null };
}
