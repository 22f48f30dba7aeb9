// Ends scheduled deliveries and deliveries that were on hold with a bounce if their sending domain
// does not exist any more (contract.md §Scheduled sends, docs/architecture.md §Hold). Other
// messages need no such check, because they are released moments after their domain was checked.
import { coreFor } from "../../../db/client.ts";
import { domainExists } from "../../../resources/domains/store.ts";
import type { DeliveryRun } from "../claim.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";

/** Ends attempts from domains that do not exist any more, and returns the other deliveries. */
export async function dropFromGoneDomains(
  run: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const gone = await findGone(run, deliveries.filter(hasWaited));
  for (const delivery of gone) {
    const cause = delivery.message.heldMs === undefined ? "sender_domain" : "held_sender_domain";
    run.settling.endUncarried(delivery, cause, "the sending domain is gone");
  }
  return deliveries.filter((delivery) => !gone.has(delivery));
}

function hasWaited({ message, grant }: ClaimedDelivery): boolean {
  return message.heldMs !== undefined || (message.scheduledAt !== undefined && grant.attempt === 1);
}

/**
 * Finds the deliveries whose domain is deleted. A deletion makes the ledger forget its facts, so
 * the facts in a claim are never older than the deletion. A verified domain never becomes
 * unverified.
 */
async function findGone(
  { env, team, domains }: DeliveryRun,
  waited: readonly ClaimedDelivery[],
): Promise<ReadonlySet<ClaimedDelivery>> {
  const { db } = coreFor(env, team.id);
  const ids = [...new Set(waited.map(({ message }) => message.domainId))];
  const exist = await Promise.all(
    ids.map(async (id) => {
      const told = domains[id];
      return told === undefined ? domainExists(db, id) : told !== null;
    }),
  );
  const existing = new Set(ids.filter((_, index) => exist[index]));
  return new Set(waited.filter(({ message }) => !existing.has(message.domainId)));
}
