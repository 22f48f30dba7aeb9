// Drops suppressed recipients from the claimed jobs, each with an `email.suppressed` event
// (contract.md §Reasons and topics). Every attempt looks up the suppressions, because an address
// may have been suppressed since the previous attempt.
import { suppressionsOf } from "../../../db/client.ts";
import {
  type ActiveSuppression,
  findActiveSuppressions,
  findSuppressing,
} from "../../../resources/suppressions/automatic-suppressions.ts";
import { newEvent } from "../attempt-record.ts";
import type { DeliveryRun } from "../claim.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";

type Suppression = Pick<ActiveSuppression, "reason" | "topic" | "classification">;

/** The suppression for the simulator's address `suppressed@`. It has no row in the database. */
const SIMULATED: Suppression = {
  reason: "permanent_bounce",
  topic: "*",
  classification: "InvalidRecipient",
};

/** Ends deliveries to suppressed recipients and returns the others. */
export async function dropSuppressed(
  { env, team, settling }: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const now = Date.now();
  if (deliveries.length === 0) return [];
  const suppressions = await findActiveSuppressions(
    suppressionsOf(env, team),
    deliveries.map(({ recipient }) => recipient),
    now,
  );
  return deliveries.filter((delivery) => {
    const { message, recipient, simulation } = delivery;
    const active = suppressions.get(recipient.toLowerCase()) ?? [];
    const suppression =
      findSuppressing(active, message.topic) ??
      (simulation?.kind === "suppressed" ? SIMULATED : undefined);
    if (!suppression) return true;
    const { reason, topic, classification } = suppression;
    const event = {
      ...newEvent("email.suppressed", { recipient, attempt: null }, now),
      suppression: { reason, topic, classification },
    };
    settling.enterRecord(delivery, { events: [event], suppress: null }, null);
    return false;
  });
}
