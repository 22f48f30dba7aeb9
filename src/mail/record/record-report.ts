// Records a report about a recipient, which may come weeks after the message was sent (contract.md
// §Bounce reports). A recipient gets at most one bounce and one complaint, even after many reports.
// The team's ledger ensures this when it appends the event. Together with the event, the ledger
// also suppresses the recipient.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { LoggedEvent } from "../../rpc/ledger-calls.ts";
import { logInfo } from "../../lib/log.ts";
import { countEvent } from "../../metrics/event-counts.ts";
import type { Complaint, MessageRecord } from "../../rpc/event-records.ts";
import type { BounceDetails, BounceSuppression } from "../message.ts";
import { reachMailsLedger } from "../../resources/team-settings/reach-ledger.ts";
import { toEvent } from "./record.ts";

export type ReportedEvent =
  | {
      readonly type: "email.bounced";
      readonly at: number;
      readonly bounce: BounceDetails;
      readonly suppress: BounceSuppression | null;
    }
  | { readonly type: "email.complained"; readonly at: number; readonly complaint: Complaint };

/**
 * Appends the report's event to the team's log. `reported.at` is the time of receipt, in Unix
 * milliseconds. Throws if the ledger cannot be reached. The caller must then submit the same report
 * again.
 */
export async function recordReport(
  env: Env,
  team: Team,
  message: MessageRecord,
  recipientIndex: number,
  reported: ReportedEvent,
): Promise<void> {
  const recipient = message.recipients[recipientIndex];
  if (recipient === undefined) return;
  const event = toReportedEvent(message.emailId, recipient, reported);
  const [isNew] = await reachMailsLedger(env, team, (ledger) =>
    ledger.append([{ message, recipientIndex, event, once: null }], reported.at),
  );
  if (!isNew) return;
  countEvent(event);
  const { type: bounceType = null, classification = null } = event.bounce ?? {};
  logInfo("reported", {
    team_id: team.id,
    email_id: message.emailId,
    recipient_index: recipientIndex,
    type: event.type,
    bounce_type: bounceType,
    classification,
  });
}

function toReportedEvent(emailId: string, recipient: string, reported: ReportedEvent): LoggedEvent {
  const { type, at } = reported;
  const bounce = type === "email.bounced" ? reported.bounce : null;
  const event = toEvent(emailId, {
    type,
    occurredAt: at,
    recipient,
    attempt: null,
    smtpCode: bounce?.smtpCode ?? null,
    bounce,
    suppression: null,
    ...(type === "email.complained" && { complaint: reported.complaint }),
  });
  if (reported.type === "email.complained")
    return {
      ...event,
      suppress: { kind: "complaint", feedbackType: reported.complaint.feedbackType, at },
    };
  return reported.suppress
    ? { ...event, suppress: { kind: "bounce", ...reported.suppress } }
    : event;
}
