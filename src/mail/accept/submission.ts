// A submitted message against every rule that needs no look-up, judged on the header that will be delivered (wire.md "SMTP submission"): what is kept
// of it, byte for byte, and what the service has to know about it. Pure.
import type { ParsedMailbox } from "../../lib/address.ts";
import { decodeWords } from "../../lib/encoded-words.ts";
import {
  CUSTOM_HEADER_VALUE_CHARACTERS,
  CUSTOM_HEADERS,
  MAIL_LINE_BYTES,
  RECIPIENTS_PER_SEND,
  REPLY_TO_ENTRIES,
  SUBJECT_CHARACTERS,
} from "../../limits.ts";
import type { Mailbox } from "../message.ts";
import { addressEntries, mailboxesIn } from "./address-list.ts";
import { isLongerThan } from "./body.ts";
import { isDroppedHeader } from "./custom-headers.ts";
import { type Findings, pathSegment } from "./findings.ts";
import { foldedField, type HeaderField } from "./header-section.ts";
import { readRecipients } from "./recipients.ts";
import { oneLine } from "./sanitize.ts";
import { readFromHeader } from "./sender-header.ts";
import { isOption, type Options, readOptions } from "./smtp-options.ts";

export interface ValidSubmission extends Options {
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
/** RFC 5322 section 3.6, RFC 2045. A second From is readFromHeader()'s to report. */
const AT_MOST_ONCE =
  "To Cc Reply-To Subject Date Message-ID MIME-Version Content-Type Content-Transfer-Encoding In-Reply-To References".split(" ");
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
  const kept = fields.filter(isKept);
  for (const { name } of fields.filter((field) => !field.isUtf8 && (isKept(field) || isOption(field)))) {
    findings.malformed("headers", `hold octets that are neither ASCII nor UTF-8, in ${name}`);
  }
  const from = readFromHeader(kept, findings);
  const { envelope } = readRecipients({ to: recipients }, findings);
  for (const name of AT_MOST_ONCE) {
    if (valuesOf(kept, name).length > 1) findings.malformed("headers", `hold ${name} more than once`);
  }
  const replyTo = valuesOf(kept, "Reply-To").flatMap(addressEntries);
  if (replyTo.length > REPLY_TO_ENTRIES) {
    findings.malformed("reply_to", `has ${replyTo.length} entries; at most ${REPLY_TO_ENTRIES} are allowed`);
  }
  const subject = readSubject(kept, findings);
  const headers = readCustomHeaders(kept, findings);
  const options = readOptions(fields, ipPools, findings);
  const folded = kept.flatMap((field) => foldedOrReported(field, findings));
  if (!from || findings.count > before) return undefined;
  const [messageId = null] = valuesOf(kept, "Message-ID");
  const dated = valuesOf(kept, "Date").length > 0;
  return { ...options, from, envelope, ...displayed(kept), subject, messageId, dated, headers, kept: folded };
}

/** A Message-ID that is none and a Date without a date are as good as missing, and stand in the way of those that are added. */
function isKept({ name, lowerName, value }: HeaderField): boolean {
  if (lowerName === "message-id") return value.length <= MESSAGE_ID_CHARACTERS && MESSAGE_ID.test(value);
  if (lowerName === "date") return value !== "";
  return isStructure(lowerName) || !isDroppedHeader(name);
}

function isStructure(lowerName: string): boolean {
  return STRUCTURE.has(lowerName) || lowerName.startsWith("content-");
}

function readSubject(kept: readonly HeaderField[], findings: Findings): string {
  const subject = oneLine(decodeWords(valuesOf(kept, "Subject")[0] ?? "").text);
  if (isLongerThan(subject, SUBJECT_CHARACTERS)) findings.invalid("subject", `is longer than ${SUBJECT_CHARACTERS} characters`);
  return subject;
}

function readCustomHeaders(kept: readonly HeaderField[], findings: Findings): [name: string, value: string][] {
  const custom = kept.filter(({ lowerName }) => !isStructure(lowerName));
  if (custom.length > CUSTOM_HEADERS) findings.malformed("headers", `has more than ${CUSTOM_HEADERS} entries`);
  return custom.slice(0, CUSTOM_HEADERS).map(({ name, value }) => {
    if (value.length > CUSTOM_HEADER_VALUE_CHARACTERS) {
      findings.invalid(`headers.${pathSegment(name)}`, `is longer than ${CUSTOM_HEADER_VALUE_CHARACTERS} characters`);
    }
    return [name, oneLine(decodeWords(value).text).trim()];
  });
}

function foldedOrReported(field: HeaderField, findings: Findings): KeptField[] {
  const text = foldedField(field);
  if (text !== undefined) return [{ lowerName: field.lowerName, isCustom: !isStructure(field.lowerName), text }];
  findings.malformed("headers", `hold a line over ${MAIL_LINE_BYTES} characters without a space to fold it at, in ${field.name}`);
  return [];
}

function displayed(kept: readonly HeaderField[]): { to: Mailbox[]; cc: Mailbox[]; replyTo: Mailbox[] } {
  const listed = (name: string, limit: number): Mailbox[] => valuesOf(kept, name).flatMap((value) => mailboxesIn(value, limit));
  return { to: listed("To", RECIPIENTS_PER_SEND), cc: listed("Cc", RECIPIENTS_PER_SEND), replyTo: listed("Reply-To", REPLY_TO_ENTRIES) };
}

function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  const lowerName = name.toLowerCase();
  return fields.filter((field) => field.lowerName === lowerName).map(({ value }) => value);
}
