// Ends scheduled and held deliveries with a bounce if their sending domain does not exist any more
// when they are due (contract.md §Scheduled sends, docs/architecture.md §Hold). Other messages need
// no such check: they are released moments after their domain was checked.
import { coreFor } from "../../../db/client.ts";
import { findSendingDomain } from "../../../resources/domains/domain-lookups.ts";
import { domainExists } from "../../../resources/domains/store.ts";
import type { DeliveryRun } from "../claim.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";

/** Ends attempts from domains that do not exist any more, and returns the other deliveries. */
export async function dropFromGoneDomains(
  run: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const found = await Promise.all([
    scheduledFromGone(run, deliveries),
    heldFromGone(run, deliveries),
  ]);
  const gone = new Set(found.flat());
  for (const delivery of gone)
    run.settling.enterOutcome(
      delivery,
      {
        kind: "failure",
        cause: delivery.message.heldMs === undefined ? "sender_domain" : "held_sender_domain",
        detail: "the sending domain is gone",
        mxHost: null,
      },
      { handedAt: null, nextAttemptAt: null, now: Date.now() },
    );
  return deliveries.filter((delivery) => !gone.has(delivery));
}

async function scheduledFromGone(
  run: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const due = deliveries.filter(
    ({ message, grant }) => message.scheduledAt !== undefined && grant.attempt === 1,
  );
  const names = [...new Set(due.map(({ message }) => message.fromDomain))];
  const found = await Promise.all(names.map((name) => sendingDomainId(run, name)));
  const ids = new Map(names.map((name, index) => [name, found[index]]));
  return due.filter(({ message }) => ids.get(message.fromDomain) !== message.domainId);
}

/** Asks the database about each domain, because the cache may know a domain that was just deleted. */
async function heldFromGone(
  { env, team }: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const held = deliveries.filter(({ message }) => message.heldMs !== undefined);
  const { db } = coreFor(env, team.id);
  const ids = [...new Set(held.map(({ message }) => message.domainId))];
  const exist = await Promise.all(ids.map((id) => domainExists(db, id)));
  const existing = new Set(ids.filter((_, index) => exist[index]));
  return held.filter(({ message }) => !existing.has(message.domainId));
}

/**
 * Returns the id of the team's verified domain of this name; undefined: the team has no such
 * domain.
 */
async function sendingDomainId(
  { env, team }: DeliveryRun,
  name: string,
): Promise<string | undefined> {
  const domain = await findSendingDomain(coreFor(env, team.id), name);
  return typeof domain === "object" ? domain.id : undefined;
}
