// Turns a rendered submission into the form that is stored (mail/message.ts): the message, and its
// bytes as they will go out. The delivery only adds the signature and each recipient's own links,
// and converts parts that a receiving server does not support. Pure.
import { Buffer } from "node:buffer";
import {
  CUSTOM_HEADER_VALUE_CHARACTERS,
  CUSTOM_HEADERS,
  SUBJECT_CHARACTERS,
} from "../../../limits.ts";
import type { Message } from "../../message.ts";
import { dateText } from "../../message-start.ts";
import {
  type Acceptance,
  candidateOf,
  factsOf,
  type PreparedMessage,
  mintMessageId,
} from "../prepare-message.ts";
import type { RenderedSubmission } from "./render-submission.ts";

/**
 * Prepares the message. `scheduledAt` is the time at which the message goes out, in Unix
 * milliseconds. Null means that it goes out as soon as it is accepted.
 */
export function prepareSubmission(
  submission: RenderedSubmission,
  acceptance: Acceptance,
  scheduledAt: number | null = null,
): PreparedMessage {
  const message = messageOf(submission, acceptance);
  return { candidate: candidateOf(message, scheduledAt), content: contentOf(submission, message) };
}

function messageOf(submission: RenderedSubmission, acceptance: Acceptance): Message {
  return {
    ...factsOf(submission, acceptance),
    source: "raw",
    subject: submission.subject.slice(0, SUBJECT_CHARACTERS).toWellFormed(),
    messageId: submission.messageId ?? mintMessageId(acceptance),
    headers: headersForEvents(submission.headers),
  };
}

/**
 * Returns the headers that events show: at most as many as a send over HTTP may have. The message
 * itself keeps all of its headers.
 */
function headersForEvents(headers: RenderedSubmission["headers"]): Message["headers"] {
  return headers
    .filter(([, value]) => value.length <= CUSTOM_HEADER_VALUE_CHARACTERS)
    .slice(0, CUSTOM_HEADERS);
}

/** Returns the message's bytes. Adds a missing Date or Message-ID at the top. */
function contentOf(
  { dated, messageId, raw }: RenderedSubmission,
  message: Message,
): Uint8Array<ArrayBuffer> {
  const added = [
    ...(dated ? [] : [`Date: ${dateText(message.acceptedAt)}\r\n`]),
    ...(messageId === null ? [`Message-ID: ${message.messageId}\r\n`] : []),
  ].join("");
  const content = new Uint8Array(added.length + raw.length);
  Buffer.from(content.buffer).write(added, "latin1");
  content.set(raw, added.length);
  return content;
}
