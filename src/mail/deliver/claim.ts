// Claims jobs in the team's ledger, and prepares a delivery for each attempt that the ledger grants
// (docs/architecture.md §Claim).
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { Settings } from "../../settings.ts";
import type { Claim, ClaimedMessage, JobRef } from "../../rpc/ledger-calls.ts";
import { attemptKey } from "../../rpc/attempt-key.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { Message } from "../message.ts";
import { readStoredMessage } from "../message-start.ts";
import type { Couriers } from "./couriers/couriers.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import type { SettlementQueue } from "./settlement-queue.ts";
import { simulationOf } from "./simulator/simulation.ts";
import { objectOf } from "../../object-of.ts";
import { ledgerOf } from "../../resources/team-settings/reach-ledger.ts";

/** The context that all deliveries of one call share. */
export interface DeliveryRun {
  readonly env: Env;
  readonly settings: Settings;
  readonly team: Team;
  readonly couriers: Couriers;
  readonly settling: SettlementQueue;
}

/**
 * Claims jobs in the team's ledger. The ledger grants no attempt for a job that is leased, settled
 * or ended by a bounce report (decision 0008). A message that cannot be read is logged and left
 * out, so that other messages are still delivered; the ledger reports it as stuck later
 * (ledger/open/stuck-messages.ts). `largeBytes`: maximum bytes of large content that the claim may
 * return.
 */
export async function claim(
  { env, settings, team, couriers }: DeliveryRun,
  jobs: readonly JobRef[],
  largeBytes: number,
): Promise<ClaimedDelivery[]> {
  const { messages, grants }: Claim = await ledgerOf(env, team).claim(
    jobs.map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex })),
    Date.now(),
    couriers.remembers(team.courier),
    largeBytes,
  );
  await crashPoint(env.CRASH_POINT_URL, "after_claim");
  const readable = new Map(messages.flatMap(readMessage));
  return grants.flatMap((grant): ClaimedDelivery[] => {
    const claimed = readable.get(grant.emailId);
    if (!claimed) return [];
    const recipient = claimed.message.recipients[grant.recipientIndex] ?? "";
    return [
      {
        grant,
        key: attemptKey(grant),
        ...claimed,
        recipient,
        simulation: simulationOf(recipient, settings.serviceDomain),
      },
    ];
  });
}

/** Renews the leases of these deliveries in the ledger. */
export async function renewLeases(
  { env, team, couriers }: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  const grants = deliveries.map(({ grant }) => grant);
  const courierRemembers = couriers.remembers(team.courier);
  await objectOf(env, "TEAM_LEDGER", team.id).hold(grants, Date.now(), courierRemembers);
}

function readMessage(
  stored: ClaimedMessage,
): [emailId: string, { message: Message; stored: ClaimedMessage }][] {
  try {
    return [
      [
        stored.emailId,
        { message: readStoredMessage(stored.meta, stored.startsAt, stored.heldMs), stored },
      ],
    ];
  } catch (error) {
    logError("message_unreadable", error, { email_id: stored.emailId });
    return [];
  }
}
