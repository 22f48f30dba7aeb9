// Writes each outcome where it can be looked up (docs/architecture.md §Settle and record): the message and its events into the team's history,
// refused addresses onto the suppression list, events on their way to webhooks. Everything it writes has a derived identity, so that a repetition
// after a crash changes nothing.
import { historyFor, suppressionsOf } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { type EventRecord, eventId, type MessageRecord } from "../../resources/events/records.ts";
import { insertHistory } from "../../resources/events/store.ts";
import type { Tracking } from "../../resources/events/wire.ts";
import { suppressForBounce } from "../../resources/suppressions/store.ts";
import { fanOut } from "../../resources/webhooks/fan-out.ts";
import type { Facts, Happening, Message } from "../message.ts";
import { withLink } from "../recipient-link.ts";
import { laterBounces } from "./first-bounce.ts";

export interface Entry {
  readonly message: Message;
  readonly recipient: string;
  readonly facts: Facts;
}

export async function record(env: Env, team: Team, entries: readonly Entry[]): Promise<void> {
  const messages = new Map(entries.map(({ message }) => [message.id, toMessageRecord(message)]));
  const given = entries.map(({ message: { id }, recipient, facts }) => {
    const message = messages.get(id)!;
    return { recipient, facts, events: facts.happenings.map((one) => toEventRecord(message, one)) };
  });
  const later = await laterBounces(
    env,
    team,
    messages,
    given.flatMap((entry) => entry.events),
  );
  const events = given.flatMap((entry) => entry.events.filter(({ id }) => !later.has(id)));
  const bounces = given.flatMap(({ recipient, facts: { suppress }, events: own }) =>
    suppress && !own.some(({ id }) => later.has(id)) ? [{ email: recipient, ...suppress }] : [],
  );
  await insertHistory(historyFor(env, team).db, [...messages.values()], events);
  if (bounces.length > 0) await suppressForBounce(suppressionsOf(env, team), bounces, Date.now());
  await fanOut(env, team.id, events);
}

/** What a recipient did with a delivered message. */
export interface Reaction {
  readonly type: "email.unsubscribed" | "email.opened" | "email.clicked";
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** Tells it from another reaction of that type by the recipient at that moment. */
  readonly what: string;
  readonly tracking: Tracking | null;
}

/** Writes a reaction as an event of its message. The same one twice is one event. */
export async function recordReaction(env: Env, team: Team, message: MessageRecord, reaction: Reaction): Promise<void> {
  const { type, occurredAt, recipient, what, tracking } = reaction;
  const event: EventRecord = {
    ...message,
    id: eventId(occurredAt, message.emailId, recipient, type, what),
    type,
    occurredAt,
    recipient,
    attempt: null,
    smtpCode: null,
    bounce: null,
    complaint: null,
    suppression: null,
    tracking,
  };
  const { db } = historyFor(env, team);
  // An unsubscribing is recorded again until its event is there, which so comes last; a visit is noted once, and its event is what must not be missing.
  if (type === "email.unsubscribed") await fanOut(env, team.id, [event]);
  await insertHistory(db, [], [event]);
  if (type !== "email.unsubscribed") await fanOut(env, team.id, [event]);
}

/** The message as its history keeps it. */
export function toMessageRecord(accepted: Message): MessageRecord {
  // Kept once for all recipients, so none of their links is in it.
  const message = withLink(accepted, "");
  return {
    teamId: message.teamId,
    emailId: message.id,
    from: message.from.email,
    fromDomain: message.fromDomain,
    subject: message.subject,
    messageId: message.messageId,
    tags: message.tags,
    topic: message.topic,
    campaign: message.campaign,
    templateId: message.templateId,
    ipPool: message.ipPool,
    headers: echoedHeaders(message),
    domainId: message.domainId,
    recipients: message.recipients,
    roles: rolesOf(message),
  };
}

function rolesOf({ to, cc, recipients }: Message): string {
  const [inTo, inCc] = [to, cc].map((mailboxes) => new Set(mailboxes.map(({ email }) => email.toLowerCase())));
  return recipients.map((address) => (inTo?.has(address.toLowerCase()) ? "t" : inCc?.has(address.toLowerCase()) ? "c" : "b")).join("");
}

function toEventRecord(message: MessageRecord, happening: Happening): EventRecord {
  const { type, occurredAt, recipient, attempt } = happening;
  return {
    ...message,
    ...happening,
    id: eventId(occurredAt, message.emailId, recipient, type, String(attempt)),
    complaint: happening.complaint ?? null,
    tracking: happening.tracking ?? null,
  };
}

/** Custom `X-` headers, snake-cased: `X-Campaign-Id` is echoed as `x_campaign_id` (contract.md §Custom headers). */
function echoedHeaders(message: Message): Record<string, string> {
  return Object.fromEntries(
    message.headers.filter(([name]) => /^x-/i.test(name)).map(([name, value]) => [name.toLowerCase().replaceAll("-", "_"), value]),
  );
}
