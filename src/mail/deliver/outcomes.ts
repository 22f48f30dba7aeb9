// Reports settled attempts to the operator: counts their events and writes one log line for all
// attempts that were settled together. The gateway's log uses the same keys
// (docs/egress-protocol.md).
import { attemptKey } from "../../rpc/attempt-key.ts";
import type { LoggedEvent, Settlement } from "../../rpc/ledger-calls.ts";
import { logInfo } from "../../lib/log.ts";
import { countEvent } from "../../metrics/event-counts.ts";

/**
 * Counts and logs attempts that the ledger has just settled. Must be called once for each attempt.
 * `refused` are the ids of events that the ledger did not append.
 */
export function logOutcomes(
  teamId: string,
  settled: readonly Settlement[],
  refused: ReadonlySet<string>,
): void {
  const outcomes: Record<string, string> = {};
  for (const settlement of settled) {
    const appended = settlement.events.filter(({ id }) => !refused.has(id));
    for (const event of appended) countEvent(event);
    const results = appended.filter(({ type }) => type !== "email.sent");
    outcomes[attemptKey(settlement)] = results.map(describeEvent).join(", ");
  }
  logInfo("outcomes", { team_id: teamId, outcomes });
}

/** Describes an event as in `delivered 250` or `bounced permanent InvalidRecipient 550`. */
function describeEvent({ type, bounce, smtpCode }: LoggedEvent): string {
  const name = type.slice("email.".length);
  if (!bounce) return smtpCode === null ? name : `${name} ${smtpCode}`;
  return [name, bounce.type, bounce.classification, smtpCode]
    .filter((part) => part !== null && part !== undefined)
    .join(" ");
}
