// Claims jobs in the team's ledger and makes a delivery of each grant (docs/architecture.md
// §Claim).
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
import type { Delivery } from "./claimed-delivery.ts";
import type { Settling } from "./settling.ts";
import { simulationOf } from "./simulator/simulation.ts";

/** Context that all deliveries of one call share. */
export interface DeliveryRun {
  readonly env: Env;
  readonly settings: Settings;
  readonly team: Team;
  readonly couriers: Couriers;
  readonly settling: Settling;
}

/**
 * Claims jobs in the team's ledger, which grants none that is leased, settled or ended by a bounce
 * report (decision 0008). A message that cannot be read is logged and left out, so that it harms no
 * other; the ledger reports it in time (ledger/open/stuck-messages.ts). `largeBytes`: the large
 * content that the messages may bring along.
 */
export async function claim(
  { env, settings, team, couriers }: DeliveryRun,
  jobs: readonly JobRef[],
  largeBytes: number,
): Promise<Delivery[]> {
  const { messages, grants }: Claim = await env.TEAM_LEDGER.getByName(team.id).claim(
    jobs.map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex })),
    Date.now(),
    couriers.remembers(team.courier),
    largeBytes,
  );
  await crashPoint(env.CRASH_POINT_URL, "after_claim");
  const readable = new Map(messages.flatMap(readMessage));
  return grants.flatMap((grant): Delivery[] => {
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

function readMessage(
  stored: ClaimedMessage,
): [emailId: string, { message: Message; stored: ClaimedMessage }][] {
  try {
    return [[stored.emailId, { message: readStoredMessage(stored.meta, stored.startsAt), stored }]];
  } catch (error) {
    logError("message_unreadable", error, { email_id: stored.emailId });
    return [];
  }
}
