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
import { readRecipients, readReplyTo, type Recipients, requireMailbox } from "./recipients.ts";
import { readSendOptions, type MessageOptions } from "./send-options.ts";
import { readSendTime } from "./send-time.ts";
import { EmailSendRequest, SingleFields } from "./wire.ts";

/**
 * A send that passed validation: sanitised, and with parsed addresses. Its template and its
 * sender's domain are not looked up yet, and nothing is rendered yet.
 */
export interface ValidEmail extends Recipients, Body, MessageOptions {
  /** The sender. Null means that the template's sender is used. */
  readonly from: ParsedMailbox | null;
  /**
   * The reply addresses. Null means that the template's reply addresses are used, if the template
   * has any.
   */
  readonly replyTo: readonly Mailbox[] | null;
  readonly headers: Message["headers"];
  readonly attachments: readonly StoredAttachment[];
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
  given: JsonObject,
  ipPools: readonly string[],
  now: number,
  problems: FieldProblems,
  paths?: FilePaths,
): ValidEmail | undefined {
  const before = problems.count;
  const input = givenMembers(EmailSendRequest, given) as JsonObject;
  if (input["from"] === undefined && input["template_id"] === undefined)
    problems.invalid("from", "is required");
  const fields = readMembers(SingleFields, input, "", problems);
  const from = fields.from === undefined ? null : requireMailbox(fields.from, "from", problems);
  const recipients = readRecipients(input, problems);
  const replyTo = readReplyTo(input, problems);
  const body = readBody(input, fields, problems);
  const headers = readHeaders(input, problems);
  const attachments = readAttachments(input, problems, paths);
  const options = readSendOptions(input, fields, ipPools, problems);
  const scheduledAt = readSendTime(fields.scheduled_at, now, problems);
  if (from === undefined || problems.count > before) return undefined;
  return {
    ...recipients,
    ...body,
    ...options,
    from,
    replyTo,
    headers,
    attachments,
    scheduledAt,
  };
}
