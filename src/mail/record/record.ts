// Makes the events of a message for the team's log (docs/architecture.md §Settle): outcomes of
// attempts, and reactions of recipients. An event's id is derived from its content, so that
// recording the same event twice gives one event.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { LoggedEvent } from "../../rpc/ledger-calls.ts";
import { eventId, type MessageRecord } from "../../rpc/event-records.ts";
import type { AttemptRecord, NewEvent, Message } from "../message.ts";
import type { Tracking } from "../../rpc/event-types.ts";
import { EVENT_NAME_CHARACTERS } from "../../limits.ts";
import { mailboxText } from "../../lib/mime/mailbox-header.ts";
import { fillLink } from "../recipient-link.ts";
import { reachMailsLedger } from "../../resources/team-settings/reach-ledger.ts";

/**
 * Makes an attempt's events. If a bounce suppresses the address, the bounce's event has the
 * suppression.
 */
export function toEvents(emailId: string, { events, suppress }: AttemptRecord): LoggedEvent[] {
  return events.map((one): LoggedEvent => {
    const event = toEvent(emailId, one);
    return suppress && event.type === "email.bounced"
      ? { ...event, suppress: { kind: "bounce", ...suppress } }
      : event;
  });
}

/** A recipient's reaction to a delivered message: an open, a click or an unsubscription. */
export interface Reaction {
  readonly type: "email.unsubscribed" | "email.opened" | "email.clicked";
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** Distinguishes opens, clicks or unsubscriptions of the same recipient at the same time. */
  readonly discriminator: string;
  readonly tracking: Tracking | null;
  /**
   * If several reactions have the same key, only the first is recorded. Null means that each
   * reaction is recorded.
   */
  readonly once: string | null;
}

/**
 * Appends a recipient's open, click or unsubscription to the team's log. Rejects if the ledger
 * cannot be reached.
 */
export async function recordReaction(
  env: Env,
  team: Team,
  message: MessageRecord,
  reaction: Reaction,
): Promise<void> {
  const { type, occurredAt, recipient, discriminator, tracking, once } = reaction;
  const recipientIndex = message.recipients.indexOf(recipient);
  const id = eventId(occurredAt, message.emailId, recipient, type, discriminator);
  const nothing = {
    attempt: null,
    smtpCode: null,
    bounce: null,
    complaint: null,
    suppression: null,
    exchange: null,
  };
  const event = { ...nothing, id, type, occurredAt, recipient, tracking };
  await reachMailsLedger(env, team, (ledger) =>
    ledger.append([{ message, recipientIndex, event, once }], Date.now()),
  );
}

/**
 * Returns the facts of a message that its events show, and that a report needs weeks after the
 * send.
 */
export function toMessageRecord(accepted: Message): MessageRecord {
  // All recipients share one record, so it must not have the link of one recipient.
  const message = fillLink(accepted, "");
  return {
    teamId: message.teamId,
    emailId: message.id,
    from: message.from.email,
    fromName: message.from.name && shorten(message.from.name),
    fromDomain: message.fromDomain,
    subject: message.subject,
    messageId: message.messageId,
    tags: message.tags,
    topic: message.topic,
    campaign: message.campaign,
    templateId: message.templateId,
    ipPool: message.ipPool,
    headers: pickEchoedHeaders(message),
    ...(message.metadata && { metadata: message.metadata }),
    domainId: message.domainId,
    recipients: message.recipients,
    roles: rolesOf(message),
    ...(message.scheduledAt !== undefined && { scheduledAt: message.scheduledAt }),
    ...(message.copyOf !== undefined && { copyOf: message.copyOf }),
    ...(message.replyTracking &&
      message.replyTo.length > 0 && { replyTo: message.replyTo.map(mailboxText) }),
    ...(message.templateVersion !== undefined && { templateVersion: message.templateVersion }),
  };
}

/**
 * Shortens a display name without splitting a character. Names are shortened because each event of
 * a message repeats them.
 */
function shorten(name: string): string {
  return name.length <= EVENT_NAME_CHARACTERS
    ? name
    : Array.from(name).slice(0, EVENT_NAME_CHARACTERS).join("");
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

export function toEvent(
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
 * Returns the custom `X-` headers that events repeat. Their names are in snake case: both
 * `X-Campaign-Id` and `X-Campaign_Id` become `x_campaign_id` (contract.md §Custom headers).
 */
function pickEchoedHeaders(message: Message): Record<string, string> {
  return Object.fromEntries(
    message.headers
      .filter(([name]) => /^x-/i.test(name))
      .map(([name, value]) => [name.toLowerCase().replace(/[^a-z0-9]/g, "_"), value]),
  );
}
