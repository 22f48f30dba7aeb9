// Records a report about a recipient, weeks after the message went out (contract.md §Bounce reports): one bounce and one complaint a recipient at
// most, however many reports come, and each once however often it is delivered. The event comes last: where it is, everything else is.
import { historyFor, type HistoryScope, suppressionsOf } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { logInfo } from "../../lib/log.ts";
import { DAY_MS, LONGEST_RETENTION_DAYS } from "../../limits.ts";
import { type Complaint, type EventRecord, eventId, type MessageRecord } from "../../resources/events/records.ts";
import { countEvent } from "../../metrics/events.ts";
import { insertHistory, keepFirst, listEvents } from "../../resources/events/store.ts";
import { positionOf } from "../../resources/events/window.ts";
import { suppressForBounce, suppressForComplaint } from "../../resources/suppressions/store.ts";
import type { EventType } from "../../resources/events/wire.ts";
import { fanOut } from "../../resources/webhooks/fan-out.ts";
import type { BounceFacts, BounceSuppression } from "../message.ts";

/** JSON: the first of a recipient's reports of a type is kept with the message until it is recorded. */
export type Reported =
  | { readonly type: "email.bounced"; readonly at: number; readonly bounce: BounceFacts; readonly suppress: BounceSuppression | null }
  | { readonly type: "email.complained"; readonly at: number; readonly complaint: Complaint };

/** JSON: what is kept of a bounce that an attempt led to, which the ledger sees recorded. */
export interface AttemptsBounce {
  /** Its id. */
  readonly event: string;
}

export type KeptBounce = Extract<Reported, { type: "email.bounced" }> | AttemptsBounce;

/** Under which a recipient's first bounce is kept with its message. */
export function bounceName(recipientIndex: number): string {
  return `bounced${recipientIndex}`;
}

/** `reported.at`: when the report came, Unix milliseconds. Throws when a database is down; then the same report is to be given again. */
export async function recordReport(
  env: Env,
  team: Team,
  message: MessageRecord,
  recipientIndex: number,
  reported: Reported,
): Promise<void> {
  const recipient = message.recipients[recipientIndex];
  if (recipient === undefined) return;
  const { type, at } = reported;
  const history = historyFor(env, team);
  if (await isRecorded(history, message, recipient, type, at)) return;
  const name = type === "email.bounced" ? bounceName(recipientIndex) : `complained${recipientIndex}`;
  const first = await keepFirst(history.db, message.emailId, name, JSON.stringify(reported));
  if (first === undefined) return; // swept meanwhile
  const kept = JSON.parse(first) as Reported | AttemptsBounce;
  if ("event" in kept) return; // an attempt was refused first, which is recorded by itself
  await suppress(env, team, recipient, kept);
  const event = toEventRecord(message, recipient, kept);
  await fanOut(env, team.id, [event]);
  await insertHistory(history.db, [], [event]);
  countEvent(event);
  const { type: bounceType = null, classification = null } = event.bounce ?? {};
  logInfo("reported", {
    team_id: team.id,
    email_id: event.emailId,
    recipient_index: recipientIndex,
    type,
    bounce_type: bounceType,
    classification,
  });
}

/** From a report, or from the SMTP transaction itself. */
async function isRecorded(
  history: HistoryScope,
  { emailId }: MessageRecord,
  recipient: string,
  type: EventType,
  now: number,
): Promise<boolean> {
  const filters = { email_id: emailId, recipient: recipient.toLowerCase(), event_type: type };
  const start = timeOfUuidv7(emailId.slice("email_".length));
  // Days are kept that long whatever the team may see, and another clock may be ahead.
  const position = positionOf({ start, end: now + DAY_MS }, null, LONGEST_RETENTION_DAYS, now);
  return (await listEvents(history, filters, position, 1)).events.length > 0;
}

async function suppress(env: Env, team: Team, recipient: string, reported: Reported): Promise<void> {
  const scope = suppressionsOf(env, team);
  const { at } = reported;
  if (reported.type === "email.complained") {
    await suppressForComplaint(scope, [{ email: recipient, feedbackType: reported.complaint.feedbackType, at }], at);
  } else if (reported.suppress) await suppressForBounce(scope, [{ email: recipient, ...reported.suppress }], at);
}

function toEventRecord(message: MessageRecord, recipient: string, reported: Reported): EventRecord {
  const { type, at } = reported;
  const bounce = type === "email.bounced" ? reported.bounce : null;
  return {
    ...message,
    id: eventId(at, message.emailId, recipient, type, "null"),
    type,
    occurredAt: at,
    recipient,
    attempt: null,
    smtpCode: bounce?.smtpCode ?? null,
    bounce,
    complaint: type === "email.complained" ? reported.complaint : null,
    suppression: null,
    tracking: null,
  };
}
