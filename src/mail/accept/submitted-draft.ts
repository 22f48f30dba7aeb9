// From a validated submission to what is stored (mail/message.ts): the message, and its bytes as they will go out but for what delivery alone can do:
// the signature, and lines too long for SMTP. Pure.
import { Buffer } from "node:buffer";
import type { Message } from "../message.ts";
import { type Acceptance, candidateOf, type Draft, mintMessageId } from "./draft.ts";
import type { ValidSubmission } from "./submission.ts";

export function draftOfSubmission(submission: ValidSubmission, body: Uint8Array, acceptance: Acceptance): Draft {
  const message = messageOf(submission, acceptance);
  return { candidate: candidateOf(message), content: contentOf(submission, message, body) };
}

function messageOf(submission: ValidSubmission, acceptance: Acceptance): Message {
  const { from, to, cc, replyTo, envelope, subject, messageId, headers, tags, topic, campaign, ipPool, unsubscribe, tracking } = submission;
  const { id, teamId, acceptedAt, domain } = acceptance;
  return {
    id,
    teamId,
    acceptedAt,
    source: "raw",
    from: { email: from.email, name: from.name },
    fromDomain: domain.name,
    domainId: domain.id,
    to,
    cc,
    replyTo,
    recipients: envelope,
    subject,
    messageId: messageId ?? mintMessageId(acceptance),
    headers,
    tags,
    topic,
    campaign,
    templateId: null,
    ipPool,
    ...(unsubscribe && { unsubscribe }),
    ...(tracking && { tracking }),
  };
}

/** What is added comes first; the kept fields and the body are as they were. */
function contentOf({ dated, messageId, kept }: ValidSubmission, message: Message, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const lines = [
    ...(dated ? [] : [`Date: ${new Date(message.acceptedAt).toUTCString().replace("GMT", "+0000")}`]),
    ...(messageId === null ? [`Message-ID: ${message.messageId}`] : []),
    ...kept,
  ];
  const header = `${lines.join("\r\n")}\r\n\r\n`;
  const content = new Uint8Array(header.length + body.length);
  Buffer.from(content.buffer).write(header, "latin1");
  content.set(body, header.length);
  return content;
}
