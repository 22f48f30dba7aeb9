// From a report to its events and suppressions: finds the message that it is about, and has recorded what it means for that recipient.
import { historyShard } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { HOUR_MS } from "../../limits.ts";
import { findMessage } from "../../resources/events/store.ts";
import { teamFor } from "../../resources/teams/cache.ts";
import { suppressionOf } from "../record/effects.ts";
import { recordReport, type Reported } from "../record/report.ts";
import type { RecipientRef } from "../token.ts";
import { type Finding, findingOf } from "./finding.ts";
import { findRecorded } from "./recorded.ts";
import type { Report } from "./report.ts";

/** A report can be faster than the recording of its message's delivery. */
const UNRECORDED_MS = HOUR_MS;

/** Acts on a report that came at `now`. Throws when that can't be done now, so that whoever brought it tries again. */
export async function actOn(
  env: Env,
  report: Report,
  { historyShard: shard, emailId, recipientIndex }: RecipientRef,
  now: number,
): Promise<void> {
  const db = historyShard(env, shard);
  const isNew = now - timeOfUuidv7(emailId.slice("email_".length)) < UNRECORDED_MS;
  const message = await (isNew ? findRecorded(db, emailId, now) : findMessage(db, emailId));
  if (!message && isNew) throw new Error(`a report about ${emailId} came before the message was recorded`);
  if (!message) return;
  const recipient = message.recipients[recipientIndex];
  const finding = recipient === undefined ? undefined : findingOf(report, { recipient, sender: message.from });
  const team = finding && (await teamFor(env, message.teamId, now));
  if (team) await recordReport(env, team, message, recipientIndex, reportedAs(finding, now));
}

function reportedAs(finding: Finding, at: number): Reported {
  if (finding.kind === "complaint") return { type: "email.complained", at, complaint: finding.complaint };
  const { bounce, certain } = finding;
  return { type: "email.bounced", at, bounce, suppress: certain ? suppressionOf(bounce, null, at) : null };
}
