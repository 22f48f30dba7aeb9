// One-click unsubscribing (contract.md §Unsubscribe pages, RFC 8058): the address is suppressed for the link's topic before the answer, and `email.unsubscribed` happens
// once. Doing it again changes nothing, unless the team has lifted the suppression meanwhile.
import { historyFor, suppressionsOf } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import { type Env, settingsOf } from "../../env.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { DAY_MS } from "../../limits.ts";
import type { MessageRecord } from "../../resources/events/records.ts";
import { findMessage, listEvents } from "../../resources/events/store.ts";
import { positionOf } from "../../resources/events/window.ts";
import { suppressForUnsubscribe } from "../../resources/suppressions/store.ts";
import { teamFor } from "../../resources/teams/cache.ts";
import { recordReaction } from "../record/record.ts";
import { readUnsubscribeToken, type UnsubscribeRef } from "../unsubscribe-link.ts";
import { findRecorded, mayBeOnItsWay } from "./recorded.ts";

type Defer = (work: Promise<void>) => void;

const TYPE = "email.unsubscribed";
const EMAIL_PREFIX = "email_";
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** What a genuine token stands for; undefined for any other text. */
export async function readUnsubscribe(env: Env, token: string): Promise<UnsubscribeRef | undefined> {
  return readUnsubscribeToken(settingsOf(env).signingKey, token);
}

/** Whether a POST asks for it: RFC 8058 §3.2 names the pair, and both forms that may carry it. Anything else could be a program that tries out links. */
export async function isOneClick(request: Request): Promise<boolean> {
  if (!FORM.test(request.headers.get("Content-Type") ?? "")) return false;
  // A body that is no such form rejects.
  const form = await request.formData().catch(() => undefined);
  return form?.getAll("List-Unsubscribe").includes("One-Click") ?? false;
}

/** Unsubscribes the token's recipient, and returns what it stands for; undefined for a token that is not ours. */
export async function unsubscribe(env: Env, token: string, now: number, defer: Defer): Promise<UnsubscribeRef | undefined> {
  const ref = await readUnsubscribe(env, token);
  const team = ref && (await teamFor(env, ref.teamId, now));
  if (!team) return ref; // a deleted team mails nobody
  const suppression = await suppressForUnsubscribe(suppressionsOf(env, team), ref.recipient, ref.topic, now);
  const since = Math.max(suppression.suppressedAt, timeOfUuidv7(ref.emailId.slice(EMAIL_PREFIX.length)));
  // The row's own time makes a repeat the same event; a row that says something else has no time of an unsubscribing.
  const occurredAt = suppression.reason === "unsubscribed" ? since : now;
  const isForgotten = now - occurredAt > team.eventRetentionDays * DAY_MS;
  if (isForgotten || (!suppression.isNew && (await wasRecorded(env, team, ref, since, now)))) return ref;
  await recordOnce(env, team, ref, occurredAt, now, defer);
  return ref;
}

/** A process that was killed between the suppression and the event leaves the event to the next request. */
async function wasRecorded(env: Env, team: Team, ref: UnsubscribeRef, start: number, now: number): Promise<boolean> {
  const { emailId, recipient } = ref;
  const position = positionOf({ start, end: now + 1 }, null, team.eventRetentionDays, now);
  const filters = { event_type: TYPE, email_id: emailId, recipient: recipient.toLowerCase() } as const;
  const { events } = await listEvents(historyFor(env, team), filters, position, 1);
  return events.length > 0;
}

async function recordOnce(env: Env, team: Team, ref: UnsubscribeRef, occurredAt: number, now: number, defer: Defer): Promise<void> {
  const history = historyFor(env, team);
  const find = async (emailId: string) => findMessage(history.db, emailId);
  const reaction = { type: TYPE, occurredAt, recipient: ref.recipient, what: ref.topic, tracking: null } as const;
  const message = (await find(ref.emailId)) ?? (mayBeOnItsWay(ref.emailId, now) ? undefined : forgotten(ref));
  if (message) return recordReaction(env, team, message, reaction);
  defer(findRecorded(find, ref.emailId, now).then((found) => recordReaction(env, team, found ?? forgotten(ref), reaction)));
}

/** All that is known of a message whose row is gone: the event says nothing where the token can't. */
function forgotten({ teamId, emailId, recipient, topic }: UnsubscribeRef): MessageRecord {
  const unknown = { from: "", fromDomain: "", subject: "", messageId: "", domainId: "", campaign: null, templateId: null, ipPool: null };
  return { ...unknown, teamId, emailId, topic, tags: [], headers: {}, recipients: [recipient], roles: "t" };
}
