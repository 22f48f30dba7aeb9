// Events and messages for the history's tests: whole records, of which a test names only what it is about.
import type { HistoryScope } from "../../../../src/db/client.ts";
import type { Env } from "../../../../src/env.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { eventId, type EventRecord, type MessageRecord } from "../../../../src/resources/events/records.ts";
import { env as bindings } from "cloudflare:workers";

export const env = bindings as unknown as Env;

export const DAY = 86_400_000;

/** A moment that no test's window depends on by accident. */
export const NOON = Date.UTC(2026, 9, 20, 12);

export function newTeam(retentionDays = 30): HistoryScope {
  return { db: env.SHARD_0, teamId: newId("team"), retentionDays };
}

export function anEvent(teamId: string, given: Partial<EventRecord> = {}): EventRecord {
  const occurredAt = given.occurredAt ?? NOON;
  const emailId = given.emailId ?? newEmailId(occurredAt);
  const type = given.type ?? "email.delivered";
  const recipient = given.recipient ?? "ada@example.org";
  const fromDomain = given.fromDomain ?? "mail.example.com";
  return {
    id: eventId(occurredAt, emailId, recipient, type, String(given.attempt ?? "")),
    teamId,
    emailId,
    type,
    occurredAt,
    recipient,
    from: `hello@${fromDomain}`,
    fromDomain,
    subject: "Your receipt",
    messageId: `<${emailId.slice("email_".length)}@${fromDomain}>`,
    tags: [],
    topic: null,
    campaign: null,
    templateId: null,
    ipPool: null,
    headers: {},
    attempt: null,
    smtpCode: null,
    bounce: null,
    complaint: null,
    suppression: null,
    tracking: null,
    ...given,
  };
}

export function aMessage(teamId: string, given: Partial<MessageRecord> = {}): MessageRecord {
  const emailId = given.emailId ?? newEmailId(NOON);
  return {
    teamId,
    emailId,
    from: "hello@mail.example.com",
    fromDomain: "mail.example.com",
    domainId: newId("domain"),
    subject: "Your receipt",
    messageId: `<${emailId.slice("email_".length)}@mail.example.com>`,
    recipients: ["ada@example.org", "Grace@example.org"],
    roles: "tc",
    tags: ["a", "b"],
    topic: "receipts",
    campaign: null,
    templateId: null,
    ipPool: null,
    headers: { x_order: "17" },
    ...given,
  };
}

/** An event whose id ends in `place`: events of one millisecond and place compete for one key. */
export function atPlace(event: EventRecord, place: string, distinguisher: string): EventRecord {
  const id = event.id.slice(0, -8 - distinguisher.length) + distinguisher + place.padStart(8, "0");
  return { ...event, id };
}

/** Ids in an order of their own, for comparing what may come in any. */
export function sorted(ids: readonly (string | undefined)[]): (string | undefined)[] {
  return ids.toSorted((left = "", right = "") => (left < right ? -1 : 1));
}
