// From a report to its events and suppressions: finds the message that it is about, and has recorded what it means for that recipient.
import { shardDatabase } from "../../db/client.ts";
import { homeShard } from "../../db/shards.ts";
import type { Team } from "../../endpoint.ts";
import { boundShards, type Env } from "../../env.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { HOUR_MS } from "../../limits.ts";
import type { MessageRecord } from "../../resources/events/records.ts";
import { findMessage } from "../../resources/events/store.ts";
import { forgetTeam, teamFor } from "../../resources/teams/cache.ts";
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
  { historyShard: minted, emailId, recipientIndex }: RecipientRef,
  now: number,
): Promise<void> {
  const find = async (id: string) => findOnShards(env, minted, id);
  const isNew = now - timeOfUuidv7(emailId.slice("email_".length)) < UNRECORDED_MS;
  const found = await (isNew ? findRecorded(find, emailId, now) : find(emailId));
  if (!found && isNew) throw new Error(`a report about ${emailId} came before the message was recorded`);
  if (!found) return;
  const { message, shard } = found;
  const recipient = message.recipients[recipientIndex];
  const finding = recipient === undefined ? undefined : findingOf(report, { recipient, sender: message.from });
  const team = finding && (await teamOn(env, shard, message.teamId, now));
  if (team) await recordReport(env, team, message, recipientIndex, reportedAs(finding, now));
}

/** The message, on the shard that its token names, or on another: its team may have been moved meanwhile, and that shard be gone. */
async function findOnShards(env: Env, minted: number, emailId: string): Promise<{ message: MessageRecord; shard: number } | undefined> {
  const bound = boundShards(env);
  for (const shard of [...bound.filter((one) => one === minted), ...bound.filter((one) => one !== minted)]) {
    const message = await findMessage(shardDatabase(env, shard), emailId);
    if (message) return { message, shard };
  }
  return undefined;
}

/** The team, read anew where this isolate's idea of it does not account for a message on that shard. */
async function teamOn(env: Env, shard: number, teamId: string, now: number): Promise<Team | undefined> {
  const known = await teamFor(env, teamId, now);
  if (!known || homeShard(known.shards) === shard) return known;
  forgetTeam(teamId);
  return teamFor(env, teamId, now);
}

function reportedAs(finding: Finding, at: number): Reported {
  if (finding.kind === "complaint") return { type: "email.complained", at, complaint: finding.complaint };
  const { bounce, certain } = finding;
  return { type: "email.bounced", at, bounce, suppress: certain ? suppressionOf(bounce, null, at) : null };
}
