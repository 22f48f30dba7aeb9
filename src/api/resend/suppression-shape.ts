// A suppression as Resend shows it (docs/from-resend.md §Suppressions). Pure.
import type { SuppressionReason } from "../../rpc/recipient-states.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { Suppression } from "../../resources/suppressions/wire.ts";
import { bareId } from "./bare-ids.ts";

type Origin = "bounce" | "complaint" | "manual";

const ORIGINS: Readonly<Record<SuppressionReason, Origin>> = {
  permanent_bounce: "bounce",
  complaint: "complaint",
  unsubscribed: "manual",
  manual: "manual",
};

/**
 * Returns the suppression reasons of Postern that Resend shows as this origin. Returns an empty
 * list for an unknown origin.
 */
export function reasonsOf(origin: string): SuppressionReason[] {
  const reasons = Object.keys(ORIGINS) as SuppressionReason[];
  return reasons.filter((reason) => ORIGINS[reason] === origin);
}

/**
 * Converts a suppression. `topic` is Postern's addition, because only a suppression of the topic
 * `*` stops all mail.
 */
export function toResendSuppression(suppression: Suppression): JsonObject {
  const { id, email, topic, reason, explanation, created_at } = suppression;
  const source = explanation.evidence?.email_id;
  return {
    id: bareId(id),
    email,
    origin: ORIGINS[reason],
    source_id: source === undefined ? null : bareId(source),
    created_at,
    topic,
  };
}
