// Explains an event by its own facts alone, for webhooks (contract.md §Explanations). So an event
// that is delivered again or replayed has the same explanation. The look-up of the message adds the
// facts that change later: the time of the next attempt, and the suppressions of the address. Pure.
import type { EventRecord } from "../rpc/event-records.ts";
import type { EventType } from "../rpc/event-types.ts";
import type { SuppressionReason } from "../rpc/recipient-states.ts";
import {
  bounceOf,
  type ExplainedSuppression,
  explainOutcome,
  type OutcomeFacts,
} from "./explain.ts";
import type { EventExplanation, Mitigation } from "./explanation.ts";
import { refusalOf } from "./refusal-cause.ts";

/** The states of the event types that get an explanation. */
const STATES: Partial<Record<EventType, OutcomeFacts["state"]>> = {
  "email.delayed": "delayed",
  "email.bounced": "bounced",
  "email.complained": "complained",
  "email.suppressed": "suppressed",
};

/**
 * Returns the explanation of an event. Null means that events of this type need no explanation.
 * `mitigation` is the page of the provider that refused the message, or null.
 */
export function explainEvent(
  event: EventRecord,
  mitigation: Mitigation | null,
): EventExplanation | null {
  const state = STATES[event.type];
  if (state === undefined) return null;
  const keptBackBy = event.suppression && keptBack(event, event.suppression);
  const outcome = explainOutcome({
    address: event.recipient,
    state,
    fromDomain: event.fromDomain,
    emailId: event.emailId,
    mitigation,
    refusal: refusalOf(event),
    bounce: bounceOf(event),
    keptBackBy,
    suppressions: suppressionsOf(event, keptBackBy),
  });
  return { state, ...outcome };
}

/**
 * Returns the suppressions that the event shows. A complaint suppresses its address for every
 * topic. A bounce does not show whether the address was suppressed.
 */
function suppressionsOf(
  { type, recipient: email }: EventRecord,
  keptBackBy: ExplainedSuppression | null,
): readonly ExplainedSuppression[] | null {
  if (keptBackBy) return [keptBackBy];
  if (type !== "email.complained") return null;
  const complaint = { topic: "*", reason: "complaint", classification: null } as const;
  return [{ email, ...complaint, expiresAt: null }];
}

/**
 * Returns the suppression that stopped the message. Only a suppression for a bounce expires, and
 * the event does not show when.
 */
function keptBack(
  { recipient: email }: EventRecord,
  { topic, reason, classification }: NonNullable<EventRecord["suppression"]>,
): ExplainedSuppression {
  const expiresAt = reason === "permanent_bounce" ? undefined : null;
  return { email, topic, reason: reason as SuppressionReason, classification, expiresAt };
}
