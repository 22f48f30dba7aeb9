// What became of attempts, for whoever runs the service: counted, and one line of the log for all
// that were settled together. The same keys stand in the gateway's log (docs/egress-protocol.md).
import type { LoggedEvent, Settlement } from "../../contracts/ledger-contract.ts";
import { logInfo } from "../../lib/log.ts";
import { countEvent } from "../../metrics/event-counts.ts";

/**
 * For attempts that the ledger has just settled, each once. `refused`: the ids of events that it
 * did not append.
 */
export function noteOutcomes(
  teamId: string,
  settled: readonly Settlement[],
  refused: ReadonlySet<string>,
): void {
  const outcomes: Record<string, string> = {};
  for (const { emailId, recipientIndex, attempt, events } of settled) {
    const appended = events.filter(({ id }) => !refused.has(id));
    for (const event of appended) countEvent(event);
    const told = appended.filter(({ type }) => type !== "email.sent");
    outcomes[`${emailId}/${recipientIndex}/${attempt}`] = told.map(said).join(", ");
  }
  logInfo("outcomes", { team_id: teamId, outcomes });
}

/** `delivered 250`, `bounced permanent InvalidRecipient 550`. */
function said({ type, bounce, smtpCode }: LoggedEvent): string {
  const name = type.slice("email.".length);
  if (!bounce) return smtpCode === null ? name : `${name} ${smtpCode}`;
  return [name, bounce.type, bounce.classification, smtpCode]
    .filter((part) => part !== null && part !== undefined)
    .join(" ");
}
