// Ends deliveries to addresses that can't receive mail, such as `ann@intranet`, with a transient
// bounce that suppresses no address (decision 0004). The send was accepted for its other
// recipients.
import { parseMailbox } from "../../../lib/address.ts";
import type { DeliveryRun } from "../claim.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";

/** Ends deliveries to unmailable recipients and returns the others. */
export function dropUnmailable(
  { settling }: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): ClaimedDelivery[] {
  return deliveries.filter((delivery) => {
    const parsed = parseMailbox(delivery.recipient);
    if (parsed.kind !== "unmailable") return true;
    settling.endUncarried(delivery, "no_mail_server", parsed.problem);
    return false;
  });
}
