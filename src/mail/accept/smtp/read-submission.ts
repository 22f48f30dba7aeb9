// Judges a submitted message by every rule that needs no look-up (contract.md §Submitted header
// section): which fields stay, byte for byte where they can, and what the service learns of the
// message. Only what decides who the sender is, who the recipients are, and what the options say is
// refused. Pure.
import type { ParsedMailbox } from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { RECIPIENTS_PER_SEND, REPLY_TO_ENTRIES } from "../../../limits.ts";
import type { Mailbox } from "../../message.ts";
import { mailboxesIn } from "./address-list.ts";
import { isDroppedHeader } from "../custom-headers.ts";
import type { Findings } from "../findings.ts";
import type { HeaderField } from "./header-section.ts";
import { fieldText, firstOfEach } from "./kept-field.ts";
import { readRecipients } from "../recipients.ts";
import { oneLine } from "../sanitize.ts";
import { readFromHeader } from "./sender-header.ts";
import { type OptionHeaders, readOptions } from "./smtp-options.ts";

export interface ValidSubmission extends OptionHeaders {
  readonly from: ParsedMailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** RCPT TO, each address once. */
  readonly envelope: readonly string[];
  readonly subject: string;
  /** Null: it has none that can stay. */
  readonly messageId: string | null;
  readonly dated: boolean;
  /** The custom headers among the kept fields, decoded, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The fields that stay, in order. */
  readonly kept: readonly KeptField[];
}

export interface KeptField {
  readonly lowerName: string;
  readonly isCustom: boolean;
  /** As it goes out, one character an octet, without its last line end. */
  readonly text: string;
}

const STRUCTURE = new Set("from to cc reply-to subject date message-id mime-version".split(" "));
const MESSAGE_ID = /^<[!-;=?-~][!-;=?A-~]*@[!-;=?-~]+>$/;
const MESSAGE_ID_CHARACTERS = 900;

/** The submission, or undefined when `findings` got an error of it. Pools are the team's own. */
export function validateSubmission(
  recipients: readonly string[],
  fields: readonly HeaderField[],
  ipPools: readonly string[],
  findings: Findings,
): ValidSubmission | undefined {
  const before = findings.count;
  const kept = firstOfEach(fields.filter(isKept));
  const sender = readFromHeader(kept, findings);
  const { envelope } = readRecipients({ to: recipients }, findings);
  const options = readOptions(fields, ipPools, findings);
  if (!sender || findings.count > before) return undefined;
  const subject = oneLine(decodeWords(valuesOf(kept, "Subject")[0] ?? "").text);
  const [messageId = null] = valuesOf(kept, "Message-ID");
  const dated = valuesOf(kept, "Date").length > 0;
  const written = kept.map((field) =>
    keptField(field, field.lowerName === "from" ? sender.text : null),
  );
  const headers = customHeaders(kept.filter((_, index) => written[index]?.text !== ""));
  const leaving = written.filter(({ text }) => text !== "");
  return {
    ...options,
    from: sender.mailbox,
    envelope,
    ...displayed(kept),
    subject,
    messageId,
    dated,
    headers,
    kept: leaving,
  };
}

/**
 * A Message-ID that is none and a Date without a date are as good as missing, and stand in the way
 * of those that are added.
 */
function isKept({ name, lowerName, value }: HeaderField): boolean {
  if (lowerName === "message-id")
    return value.length <= MESSAGE_ID_CHARACTERS && MESSAGE_ID.test(value);
  if (lowerName === "date") return value !== "";
  return isStructure(lowerName) || !isDroppedHeader(name);
}

function isStructure(lowerName: string): boolean {
  return STRUCTURE.has(lowerName) || lowerName.startsWith("content-");
}

function customHeaders(kept: readonly HeaderField[]): [name: string, value: string][] {
  return kept
    .filter(({ lowerName }) => !isStructure(lowerName))
    .map(({ name, value }) => [name, oneLine(decodeWords(value).text).trim()]);
}

/** `anew`: the field as it has to be written; null: as it was written. */
function keptField(field: HeaderField, anew: string | null): KeptField {
  return {
    lowerName: field.lowerName,
    isCustom: !isStructure(field.lowerName),
    text: anew ?? fieldText(field),
  };
}

function displayed(kept: readonly HeaderField[]): {
  to: Mailbox[];
  cc: Mailbox[];
  replyTo: Mailbox[];
} {
  const listed = (name: string, limit: number): Mailbox[] =>
    valuesOf(kept, name).flatMap((value) => mailboxesIn(value, limit));
  return {
    to: listed("To", RECIPIENTS_PER_SEND),
    cc: listed("Cc", RECIPIENTS_PER_SEND),
    replyTo: listed("Reply-To", REPLY_TO_ENTRIES),
  };
}

function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  const lowerName = name.toLowerCase();
  return fields.filter((field) => field.lowerName === lowerName).map(({ value }) => value);
}
