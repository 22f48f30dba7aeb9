// Explains an event by its own facts alone, as a webhook shows it (contract.md §Explanations). It
// says what the look-up of the message says, except for what changes afterwards: the time of the
// next attempt, and the suppressions of the address. So an event that is delivered again, or
// replayed, has the same explanation. Pure.
import type { EventRecord } from "../rpc/event-records.ts";
import type { EventType } from "../rpc/event-types.ts";
import type { SuppressionReason } from "../rpc/recipient-states.ts";
import {
  bounceOf,
  type ExplainedSuppression,
  explainOutcome,
  type OutcomeFacts,
} from "./explain.ts";
import type { EventExplanation } from "./explanation.ts";
import { refusalOf } from "./refusal-cause.ts";

/** The events whose type alone does not say why. */
const STATES: Partial<Record<EventType, OutcomeFacts["state"]>> = {
  "email.delayed": "delayed",
  "email.bounced": "bounced",
  "email.complained": "complained",
  "email.suppressed": "suppressed",
};

/** Returns null for an event whose type says everything. */
export function explainEvent(event: EventRecord): EventExplanation | null {
  const state = STATES[event.type];
  if (state === undefined) return null;
  const keptBackBy = event.suppression && keptBack(event, event.suppression);
  const outcome = explainOutcome({
    address: event.recipient,
    state,
    fromDomain: event.fromDomain,
    refusal: refusalOf(event),
    bounce: bounceOf(event),
    keptBackBy,
    suppressions: suppressionsOf(event, keptBackBy),
  });
  return { state, ...outcome };
}

/** A complaint suppresses its address for every topic. Whether a bounce does, no event tells. */
function suppressionsOf(
  { type, recipient: email }: EventRecord,
  keptBackBy: ExplainedSuppression | null,
): readonly ExplainedSuppression[] | null {
  if (keptBackBy) return [keptBackBy];
  if (type !== "email.complained") return null;
  const complaint = { topic: "*", reason: "complaint", classification: null } as const;
  return [{ email, ...complaint, expiresAt: null }];
}

/** Only the suppression of a bounce expires, and no event tells when. */
function keptBack(
  { recipient: email }: EventRecord,
  { topic, reason, classification }: NonNullable<EventRecord["suppression"]>,
): ExplainedSuppression {
  const expiresAt = reason === "permanent_bounce" ? undefined : null;
  return { email, topic, reason: reason as SuppressionReason, classification, expiresAt };
}
