// From a report to its event and suppression: finds the message that it is about, and has recorded
// what it means for that recipient.
import type { Env } from "../../env.ts";
import { logInfo } from "../../lib/log.ts";
import { teamByNumber } from "../../resources/team-settings/team-cache.ts";
import type { RecipientRef } from "../recipient-ref.ts";
import { suppressionOf } from "../record/effects.ts";
import { recordReport, type Reported } from "../record/record-report.ts";
import { type ReportVerdict, judgeReport } from "./report-verdict.ts";
import { findNamed } from "./named-message.ts";
import type { Report } from "./report.ts";

/**
 * Acts on a report that came at `now`. Throws when that can't be done now; then the same report is
 * to be given again.
 */
export async function actOn(
  env: Env,
  report: Report,
  ref: RecipientRef,
  now: number,
): Promise<void> {
  const { teamNumber, emailId, recipientIndex } = ref;
  const team = await teamByNumber(env, teamNumber, now);
  if (!team) return; // deleted
  const message = await findNamed(env, team, ref, now);
  if (!message)
    return logInfo("report_ignored", { email_id: emailId, recipient_index: recipientIndex });
  const recipient = message.recipients[recipientIndex];
  const finding =
    recipient === undefined ? undefined : judgeReport(report, { recipient, sender: message.from });
  if (finding) await recordReport(env, team, message, recipientIndex, reportedAs(finding, now));
}

function reportedAs(finding: ReportVerdict, at: number): Reported {
  if (finding.kind === "complaint")
    return { type: "email.complained", at, complaint: finding.complaint };
  const { bounce, certain } = finding;
  return {
    type: "email.bounced",
    at,
    bounce,
    suppress: certain ? suppressionOf(bounce, null, at) : null,
  };
}
