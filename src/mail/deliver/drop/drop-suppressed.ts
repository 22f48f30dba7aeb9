// Drops suppressed recipients from the claimed jobs, each with an `email.suppressed` event
// (contract.md §Reasons and topics). Every attempt looks up the suppressions, because an address
// may have been suppressed since the previous attempt.
import { suppressionsOf } from "../../../db/client.ts";
import {
  type ActiveSuppression,
  findActiveSuppressions,
  findSuppressing,
} from "../../../resources/suppressions/automatic-suppressions.ts";
import type { NewEvent } from "../../message.ts";
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
    const event = toSuppressedEvent(recipient, suppression, now);
    settling.enterRecord(delivery, { events: [event], suppress: null }, null);
    return false;
  });
}

function toSuppressedEvent(
  recipient: string,
  { reason, topic, classification }: Suppression,
  now: number,
): NewEvent {
  return {
    type: "email.suppressed",
    occurredAt: now,
    recipient,
    attempt: null,
    smtpCode: null,
    bounce: null,
    suppression: { reason, topic, classification },
  };
}
