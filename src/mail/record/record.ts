// Makes the events that the team's log keeps of a message (docs/architecture.md §Settle): what
// became of an attempt, and what a recipient did with the message. Everything has a derived
// identity, so that the same twice is one event.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { LoggedEvent } from "../../ledger/ledger-contract.ts";
import { eventId, type MessageRecord } from "../../resources/events/records.ts";
import type { Tracking } from "../../resources/events/wire.ts";
import type { AttemptRecord, NewEvent, Message } from "../message.ts";
import { fillLink } from "../recipient-link.ts";

/**
 * What an attempt led to, as events of its message. A bounce carries what it suppresses its
 * recipient for.
 */
export function toEvents(
  emailId: string,
  { events: happenings, suppress }: AttemptRecord,
): LoggedEvent[] {
  return happenings.map((happening): LoggedEvent => {
    const event = toEvent(emailId, happening);
    return suppress && event.type === "email.bounced"
      ? { ...event, suppress: { kind: "bounce", ...suppress } }
      : event;
  });
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
  /** Under this name it happens once; null: it may happen any number of times. */
  readonly once: string | null;
}

/** Appends a reaction to the team's log. Rejects when that can't be done now. */
export async function recordReaction(
  env: Env,
  team: Team,
  message: MessageRecord,
  reaction: Reaction,
): Promise<void> {
  const { type, occurredAt, recipient, what, tracking, once } = reaction;
  const recipientIndex = message.recipients.indexOf(recipient);
  const id = eventId(occurredAt, message.emailId, recipient, type, what);
  const nothing = {
    attempt: null,
    smtpCode: null,
    bounce: null,
    complaint: null,
    suppression: null,
    exchange: null,
  };
  const event = { ...nothing, id, type, occurredAt, recipient, tracking };
  await env.TEAM_LEDGER.getByName(team.id).append(
    [{ message, recipientIndex, event, once }],
    Date.now(),
  );
}

/** The message as its events show it, and as what comes back weeks later needs it. */
export function toMessageRecord(accepted: Message): MessageRecord {
  // Kept once for all recipients, so none of their links is in it.
  const message = fillLink(accepted, "");
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
  const [inTo, inCc] = [to, cc].map(
    (mailboxes) => new Set(mailboxes.map(({ email }) => email.toLowerCase())),
  );
  return recipients
    .map((address) =>
      inTo?.has(address.toLowerCase()) ? "t" : inCc?.has(address.toLowerCase()) ? "c" : "b",
    )
    .join("");
}

function toEvent(
  emailId: string,
  { type, occurredAt, recipient, attempt, smtpCode, bounce, ...rest }: NewEvent,
): LoggedEvent {
  const id = eventId(occurredAt, emailId, recipient, type, String(attempt));
  const { suppression, complaint = null, tracking = null, exchange = null } = rest;
  return {
    id,
    type,
    occurredAt,
    recipient,
    attempt,
    smtpCode,
    bounce,
    complaint,
    suppression,
    tracking,
    exchange,
  };
}

/**
 * Custom `X-` headers, snake-cased: `X-Campaign-Id` is echoed as `x_campaign_id` (contract.md
 * §Custom headers).
 */
function echoedHeaders(message: Message): Record<string, string> {
  return Object.fromEntries(
    message.headers
      .filter(([name]) => /^x-/i.test(name))
      .map(([name, value]) => [name.toLowerCase().replaceAll("-", "_"), value]),
  );
}
