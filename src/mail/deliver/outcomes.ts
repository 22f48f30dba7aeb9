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
  for (const { facts } of settled) for (const happening of facts.happenings) countEvent(happening);
  const outcomes = Object.fromEntries(
    settled.map(({ emailId, recipientIndex, attempt, facts }) => [
      `${emailId}/${recipientIndex}/${attempt}`,
      facts.happenings
        .filter(({ type }) => type !== "email.sent")
        .map(said)
        .join(", "),
    ]),
  );
  logInfo("outcomes", { team_id: teamId, outcomes });
}

/** `delivered 250`, `bounced permanent InvalidRecipient 550`. */
function said({ type, bounce, smtpCode }: Happening): string {
  return [type.slice("email.".length), bounce?.type, bounce?.classification, smtpCode]
    .filter((part) => part !== null && part !== undefined)
    .join(" ");
}
