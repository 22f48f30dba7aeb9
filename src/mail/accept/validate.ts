// One send against every rule that needs no look-up (spec.md "Send request"): all of its errors are found, not only the first.
import type { ParsedMailbox } from "../../lib/address.ts";
import type { Mailbox, StoredAttachment } from "../message.ts";
import { readAttachments } from "./attachments.ts";
import { type Body, readBody } from "./body.ts";
import { readHeaders } from "./custom-headers.ts";
import type { Findings } from "./findings.ts";
import { type JsonObject, readMembers } from "./fields.ts";
import { checkPool, readTags } from "./labels.ts";
import { readRecipients, readReplyTo, readSender, type Recipients } from "./recipients.ts";
import { refuseUnavailable } from "./unavailable.ts";
import { readVariables } from "./variables.ts";
import { SingleFields } from "./wire.ts";

/** A send that passed: sanitised, with its addresses parsed; its sender's domain is not looked up yet. */
export interface ValidEmail extends Recipients, Body {
  readonly from: ParsedMailbox;
  readonly replyTo: readonly Mailbox[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly StoredAttachment[];
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  readonly ipPool: string | null;
}

/** The send, or undefined when `findings` got an error of it. Pools are the team's own. */
export function validateEmail(input: JsonObject, ipPools: readonly string[], findings: Findings): ValidEmail | undefined {
  const before = findings.count;
  const fields = readMembers(SingleFields, input, "", findings);
  const from = readSender(fields.from, findings);
  const recipients = readRecipients(input, findings);
  const replyTo = readReplyTo(input, findings);
  const body = readBody(input, fields, findings);
  const headers = readHeaders(input, findings);
  const attachments = readAttachments(input, findings);
  const tags = readTags(input, findings);
  checkPool(fields.ip_pool, ipPools, findings);
  if (fields.unsubscribe?.mode === "generate" && input["topic"] === undefined) {
    findings.invalid("topic", "is required when unsubscribe.mode is generate");
  }
  refuseUnavailable(fields, readVariables(input, findings), findings);
  if (!from || findings.count > before) return undefined;
  const labels = { topic: fields.topic ?? null, campaign: fields.campaign ?? null, ipPool: fields.ip_pool ?? null };
  return { ...recipients, ...body, ...labels, from, replyTo, headers, attachments, tags };
}
