// From a validated send to what is stored (mail/message.ts): the message, and its content apart because it may rest elsewhere. Pure.
import type { Candidate } from "../../ledger/contract.ts";
import type { SendingDomain } from "../../resources/domains/store.ts";
import type { Message, MessageContent } from "../message.ts";
import type { ValidEmail } from "./validate.ts";

const ID_PREFIX = "email_";

/** A message that may be stored: where its content rests is not decided yet. */
export interface Draft {
  readonly candidate: Omit<Candidate, "content" | "contentKey">;
  /** JSON of MessageContent. */
  readonly content: string;
}

interface Acceptance {
  /** `email_<uuidv7>`. */
  readonly id: string;
  readonly teamId: string;
  /** Unix milliseconds. */
  readonly acceptedAt: number;
  readonly domain: SendingDomain;
}

export function draftOf(email: ValidEmail, acceptance: Acceptance): Draft {
  const message = messageOf(email, acceptance);
  const { id, recipients, campaign, tags, topic } = message;
  const { text, html, attachments } = email;
  const content: MessageContent = { text, html, attachments };
  return {
    candidate: { id, recipientCount: recipients.length, stream: campaign ?? "", tags, topic, campaign, meta: JSON.stringify(message) },
    content: JSON.stringify(content),
  };
}

function messageOf(email: ValidEmail, { id, teamId, acceptedAt, domain }: Acceptance): Message {
  const { from, to, cc, replyTo, subject, headers, tags, topic, campaign, ipPool } = email;
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
    messageId: `<${id.slice(ID_PREFIX.length)}@${domain.name}>`,
    headers,
    tags,
    topic,
    campaign,
    templateId: null,
    ipPool,
  };
}
