// What became of attempts, for whoever runs the service: counted, and one line of the log for all that were settled together. The same keys stand in the
// gateway's log (docs/egress-protocol.md).
import type { JobRef } from "../../ledger/contract.ts";
import { logInfo } from "../../lib/log.ts";
import { countEvent } from "../../metrics/events.ts";
import type { Facts, Happening } from "../message.ts";

interface Settled extends JobRef {
  readonly attempt: number;
  readonly facts: Facts;
}

/** For attempts that the ledger has just settled, each once. */
export function noteOutcomes(teamId: string, settled: readonly Settled[]): void {
  const outcomes: Record<string, string> = {};
  for (const { emailId, recipientIndex, attempt, facts } of settled) {
    for (const happening of facts.happenings) countEvent(happening);
    const told = facts.happenings.filter(({ type }) => type !== "email.sent");
    outcomes[`${emailId}/${recipientIndex}/${attempt}`] = told.map(said).join(", ");
  }
  logInfo("outcomes", { team_id: teamId, outcomes });
}

/** `delivered 250`, `bounced permanent InvalidRecipient 550`. */
function said({ type, bounce, smtpCode }: Happening): string {
  const name = type.slice("email.".length);
  if (!bounce) return smtpCode === null ? name : `${name} ${smtpCode}`;
  return [name, bounce.type, bounce.classification, smtpCode].filter((part) => part !== null && part !== undefined).join(" ");
}
