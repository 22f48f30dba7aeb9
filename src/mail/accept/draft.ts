// From a validated send to what is stored (mail/message.ts): the message, and its content apart
// because it may rest elsewhere. Pure.
import type { Candidate } from "../../ledger/ledger-contract.ts";
import type { SendingDomain } from "../../resources/domains/domain-lookups.ts";
import type { Message, MessageContent } from "../message.ts";
import type { RenderedEmail } from "./render-emails.ts";

const ID_PREFIX = "email_";

/** A message that may be stored: where its content rests is not decided yet. */
export interface Draft {
  readonly candidate: Omit<Candidate, "content" | "contentKey">;
  /** JSON of MessageContent, or the bytes of a submitted message. */
  readonly content: string | Uint8Array<ArrayBuffer>;
}

export interface Acceptance {
  /** `email_<uuidv7>`. */
  readonly id: string;
  readonly teamId: string;
  /** Unix milliseconds. */
  readonly acceptedAt: number;
  readonly domain: SendingDomain;
}

export function draftOf(
  email: RenderedEmail,
  acceptance: Acceptance,
): Draft & { readonly content: string } {
  return { candidate: candidateOf(messageOf(email, acceptance)), content: contentOf(email) };
}

/** JSON of a send's MessageContent. */
export function contentOf({
  text,
  html,
  attachments,
}: Pick<RenderedEmail, keyof MessageContent>): string {
  const content: MessageContent = { text, html, attachments };
  return JSON.stringify(content);
}

/** What the ledger is to know of a message. */
export function candidateOf(message: Message): Draft["candidate"] {
  const { id, recipients, campaign, tags, topic } = message;
  return {
    id,
    recipientCount: recipients.length,
    stream: campaign ?? "",
    tags,
    topic,
    campaign,
    meta: JSON.stringify(message),
  };
}

/** The Message-ID of a message that came without one, in its angle brackets. */
export function mintMessageId({ id, domain }: Acceptance): string {
  return `<${id.slice(ID_PREFIX.length)}@${domain.name}>`;
}

export function messageOf(email: RenderedEmail, acceptance: Acceptance): Message {
  const { id, teamId, acceptedAt, domain } = acceptance;
  const {
    from,
    to,
    cc,
    replyTo,
    subject,
    headers,
    tags,
    topic,
    campaign,
    templateId,
    ipPool,
    linkMark,
    unsubscribe,
    tracking,
  } = email;
  return {
    id,
    teamId,
    acceptedAt,
    source: "http",
    from: { email: from.email, name: from.name },
    fromDomain: domain.name,
    domainId: domain.id,
    to,
    cc,
    replyTo,
    recipients: email.envelope,
    subject,
    messageId: mintMessageId(acceptance),
    headers,
    tags,
    topic,
    campaign,
    templateId,
    ipPool,
    ...(linkMark === undefined ? {} : { linkMark }),
    ...(unsubscribe && { unsubscribe }),
    ...(tracking && { tracking }),
  };
}
