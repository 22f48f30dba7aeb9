// Turns a report into its event and suppression: finds the message that the report is about, and
// records the verdict for that recipient.
import type { Env } from "../../env.ts";
import { logInfo } from "../../lib/log.ts";
import { teamByNumber } from "../../resources/team-settings/team-cache.ts";
import type { RecipientRef } from "../recipient-ref.ts";
import { suppressionOf } from "../record/effects.ts";
import { recordReport, type ReportedEvent } from "../record/record-report.ts";
import { type ReportVerdict, judgeReport } from "./report-verdict.ts";
import { findNamedMessage } from "./named-message.ts";
import type { Report } from "./report.ts";

/**
 * Applies a report that arrived at `now` (Unix milliseconds). Throws if the report cannot be
 * recorded now. The caller then submits the same report again.
 */
export async function applyReport(
  env: Env,
  report: Report,
  ref: RecipientRef,
  now: number,
): Promise<void> {
  const { teamNumber, emailId, recipientIndex } = ref;
  const team = await teamByNumber(env, teamNumber, now);
  if (!team) return; // the team was deleted
  const message = await findNamedMessage(env, team, ref, now);
  if (!message)
    return logInfo("report_ignored", { email_id: emailId, recipient_index: recipientIndex });
  const recipient = message.recipients[recipientIndex];
  const verdict =
    recipient === undefined ? undefined : judgeReport(report, { recipient, sender: message.from });
  if (verdict) await recordReport(env, team, message, recipientIndex, toReported(verdict, now));
}

function toReported(verdict: ReportVerdict, at: number): ReportedEvent {
  if (verdict.kind === "complaint")
    return { type: "email.complained", at, complaint: verdict.complaint };
  const { bounce, certain } = verdict;
  return {
    type: "email.bounced",
    at,
    bounce,
    suppress: certain ? suppressionOf(bounce, null, at) : null,
  };
}
