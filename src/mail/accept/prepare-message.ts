// Turns a rendered send into the form that is stored (mail/message.ts): the message, and separately
// its content, which may be stored in R2. Pure.
import type { Candidate } from "../../rpc/ledger-calls.ts";
import type { SendingDomain } from "../../resources/domains/domain-lookups.ts";
import type { Message } from "../message.ts";
import { EMAIL_PREFIX } from "../../lib/ids.ts";
import { encodeContent, type StoredContent } from "../stored-content.ts";
import type { RenderedEmail } from "./render/render-emails.ts";

/**
 * A message that is ready to be stored. call-room.ts decides later whether the ledger or R2 stores
 * its content.
 */
export interface PreparedMessage {
  readonly candidate: Omit<Candidate, "content" | "contentKey">;
  readonly content: StoredContent;
}

export interface Acceptance {
  /** `email_<uuidv7>`. */
  readonly id: string;
  readonly teamId: string;
  /** Unix milliseconds. */
  readonly acceptedAt: number;
  readonly domain: SendingDomain;
}

export function prepareEmail(email: RenderedEmail, acceptance: Acceptance): PreparedMessage {
  return {
    candidate: candidateOf(messageOf(email, acceptance), email.scheduledAt),
    content: encodeContent(email),
  };
}

/**
 * Returns the part of a message that the ledger reads. The ledger stores the rest as JSON, without
 * reading that JSON. `scheduledAt` is the time at which the message goes out, in Unix milliseconds.
 * Null means that it goes out as soon as it is accepted.
 */
export function candidateOf(
  message: Message,
  scheduledAt: number | null,
): PreparedMessage["candidate"] {
  const { id, recipients, campaign, tags, topic, priority, fromDomain } = message;
  const candidate: PreparedMessage["candidate"] = {
    id,
    recipientCount: recipients.length,
    stream: campaign ?? "",
    domain: fromDomain,
    priority,
    tags,
    topic,
    campaign,
    meta: JSON.stringify(message),
  };
  return scheduledAt === null ? candidate : { ...candidate, scheduledAt };
}

/** Makes a Message-ID, in angle brackets, for a message that was sent without a Message-ID. */
export function mintMessageId({ id, domain }: Acceptance): string {
  return `<${id.slice(EMAIL_PREFIX.length)}@${domain.name}>`;
}

/** The facts that have the same names in a send over HTTP and in a send by SMTP. */
type SharedFacts = Omit<
  RenderedEmail,
  "subject" | "text" | "html" | "headers" | "attachments" | "scheduledAt"
>;

export function messageOf(email: RenderedEmail, acceptance: Acceptance): Message {
  const { subject, headers } = email;
  const messageId = mintMessageId(acceptance);
  return { ...factsOf(email, acceptance), source: "http", subject, messageId, headers };
}

/** Returns the facts of a message that do not depend on how it was sent. */
export function factsOf(send: SharedFacts, { id, teamId, acceptedAt, domain }: Acceptance) {
  return {
    id,
    teamId,
    acceptedAt,
    from: { email: send.from.email, name: send.from.name },
    fromDomain: domain.name,
    domainId: domain.id,
    to: send.to,
    cc: send.cc,
    replyTo: send.replyTo,
    recipients: send.envelope,
    tags: send.tags,
    topic: send.topic,
    campaign: send.campaign,
    templateId: send.templateId,
    templateVersion: send.templateVersion,
    ipPool: send.ipPool,
    priority: send.priority,
    metadata: send.metadata,
    sensitive: send.sensitive,
    replyTracking: send.replyTracking,
    linkPlaceholder: send.linkPlaceholder,
    unsubscribe: send.unsubscribe,
    tracking: send.tracking,
  };
}
