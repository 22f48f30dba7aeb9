// Claims jobs in the team's ledger, and prepares a delivery for each attempt that the ledger grants
// (docs/architecture.md §Claim).
import type { Env } from "../../env.ts";
import { type Settings, settingsOf } from "../../settings.ts";
import type { DeliveryTeam, DomainsById } from "../../rpc/delivery-facts.ts";
import type { Claim, ClaimedMessage, Grant, JobRef } from "../../rpc/ledger-calls.ts";
import { attemptKey } from "../../rpc/attempt-key.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { Message } from "../message.ts";
import { readStoredMessage } from "../message-start.ts";
import type { Couriers } from "./couriers/couriers.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { SettlementQueue } from "./settlement-queue.ts";
import { simulationOf } from "./simulator/simulation.ts";
import { objectOf } from "../../object-of.ts";

/** The context that all deliveries of one call share. */
export interface DeliveryRun {
  readonly env: Env;
  readonly settings: Settings;
  readonly team: DeliveryTeam;
  readonly domains: DomainsById;
  readonly couriers: Couriers;
  readonly settling: SettlementQueue;
}

/** Granted attempts, with their context. */
export interface ClaimedRun {
  readonly run: DeliveryRun;
  readonly claimed: readonly ClaimedDelivery[];
}

/**
 * Claims jobs in the team's ledger, which also returns the facts of the core database about the
 * team. Undefined means that there is nothing to deliver. The ledger grants no attempt for a job
 * that is leased, settled or ended by a bounce report (decision 0008). The claim may return up to
 * `largeBytes` bytes of large content.
 */
export async function claim(
  env: Env,
  teamId: string,
  jobs: readonly JobRef[],
  couriers: Couriers,
  largeBytes: number,
): Promise<ClaimedRun | undefined> {
  const { messages, grants, facts }: Claim = await objectOf(env, "TEAM_LEDGER", teamId).claim(
    jobs.map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex })),
    Date.now(),
    undefined,
    largeBytes,
  );
  await crashPoint(env.CRASH_POINT_URL, "after_claim");
  if (!facts) return undefined; // no job was granted, or the team was deleted
  const settings = settingsOf(env);
  const settling = new SettlementQueue(env, teamId, couriers.remembers(facts.team.courier));
  const run = { env, settings, ...facts, couriers, settling };
  return { run, claimed: toDeliveries(settings, messages, grants) };
}

/**
 * Makes the deliveries. Logs and leaves out a message that cannot be read, so that other messages
 * are still delivered. After some time the ledger reports that message as stuck
 * (ledger/open/stuck-messages.ts).
 */
function toDeliveries(
  settings: Settings,
  messages: readonly ClaimedMessage[],
  grants: readonly Grant[],
): ClaimedDelivery[] {
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
