// Checks one send against every rule that needs no look-up (contract.md §Sending). Finds all of its
// errors, not only the first. Pure.
import type { ParsedMailbox } from "../../lib/address.ts";
import { givenMembers } from "../../lib/members/given-members.ts";
import type { Mailbox, Message, StoredAttachment } from "../message.ts";
import { type FilePaths, readAttachments } from "./attachments.ts";
import { type Body, readBody } from "./body.ts";
import { readHeaders } from "./custom-headers.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonObject, readMembers } from "./fields.ts";
import { checkPool, readTags, storedPriority } from "./labels.ts";
import { type LinkOptions, readLinkOptions } from "./link-options.ts";
import { readMetadata } from "./metadata.ts";
import { readRecipients, readReplyTo, readSender, type Recipients } from "./recipients.ts";
import { readSendTime } from "./send-time.ts";
import { readVariables } from "./variables.ts";
import { EmailSendRequest, SingleFields } from "./wire.ts";

/**
 * A send that passed validation: sanitised, and with parsed addresses. Its template and its
 * sender's domain are not looked up yet, and nothing is rendered yet.
 */
export interface ValidEmail extends Recipients, Body, LinkOptions {
  /** The sender. Null means that the template's sender is used. */
  readonly from: ParsedMailbox | null;
  /**
   * The reply addresses. Null means that the template's reply addresses are used, if the template
   * has any.
   */
  readonly replyTo: readonly Mailbox[] | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly StoredAttachment[];
  /**
   * The variables. If there are no variables, nothing is rendered, unless the send asks for an
   * unsubscribe link.
   */
  readonly variables: JsonObject;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  readonly ipPool: string | null;
  readonly priority: Message["priority"];
  readonly metadata: Message["metadata"];
  /** The send's own value. The template may also make the send sensitive. */
  readonly sensitive: Message["sensitive"];
  /** The send's own value. The template may also track replies. */
  readonly replyTracking: Message["replyTracking"];
  /**
   * The time at which the send goes out, in Unix milliseconds. Null means that it goes out as soon
   * as it is accepted.
   */
  readonly scheduledAt: number | null;
}

/**
 * Validates a send that arrived at `now` (Unix milliseconds). Undefined means that an error was
 * added to `problems`. `ipPools` are the team's own pools. readAttachments() describes `paths`.
 */
export function validateEmail(
  body: JsonObject,
  ipPools: readonly string[],
  now: number,
  problems: FieldProblems,
  paths?: FilePaths,
): ValidEmail | undefined {
  const before = problems.count;
  const input = givenMembers(EmailSendRequest, body) as JsonObject;
  if (input["from"] === undefined && input["template_id"] === undefined)
    problems.invalid("from", "is required");
  const fields = readMembers(SingleFields, input, "", problems);
  const from = readSender(fields.from, problems);
  const { to, cc, envelope } = readRecipients(input, problems);
  const replyTo = readReplyTo(input, problems);
  const { subject, text, html, template } = readBody(input, fields, problems);
  const headers = readHeaders(input, problems);
  const attachments = readAttachments(input, problems, paths);
  const tags = readTags(input, problems);
  checkPool(fields.ip_pool, ipPools, problems);
  const { unsubscribe, tracking } = readLinkOptions(fields, input["topic"], problems);
  const variables = readVariables(input, problems);
  const metadata = readMetadata(input, problems);
  const scheduledAt = readSendTime(fields.scheduled_at, now, problems);
  if (problems.count > before) return undefined;
  return {
    from: from ?? null,
    to,
    cc,
    envelope,
    replyTo,
    subject,
    text,
    html,
    template,
    headers,
    attachments,
    variables,
    tags,
    topic: fields.topic ?? null,
    campaign: fields.campaign ?? null,
    ipPool: fields.ip_pool ?? null,
    priority: storedPriority(fields.priority),
    metadata,
    sensitive: fields.sensitive || undefined,
    replyTracking: fields.reply_tracking || undefined,
    unsubscribe,
    tracking,
    scheduledAt,
  };
}
