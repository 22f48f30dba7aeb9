// Checks a submitted message against every rule that needs no look-up (contract.md §Submitted
// header section). Decides which fields stay, unchanged if possible, and reads the facts that the
// service stores about the message. A message is refused only for errors in the sender, the
// recipients and the options. Pure.
import type { ParsedMailbox } from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { HEADER_NAME_CHARACTERS, RECIPIENTS_PER_SEND, REPLY_TO_ENTRIES } from "../../../limits.ts";
import type { Mailbox } from "../../message.ts";
import { parseAddressList } from "./address-list.ts";
import { isReservedHeader } from "../custom-headers.ts";
import type { FieldProblems } from "../field-problems.ts";
import { type HeaderField, valuesOf } from "./header-section.ts";
import { writeField, mergeRepeatedFields } from "./outgoing-field.ts";
import { refuseMisnamedOptions } from "./misnamed-options.ts";
import { readRecipients } from "../recipients.ts";
import { toOneLine } from "../sanitize.ts";
import { readFromHeader } from "./sender-header.ts";
import { readOptions } from "./smtp-options.ts";
import type { MessageOptions } from "../send-options.ts";

export interface ValidSubmission extends MessageOptions {
  readonly from: ParsedMailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** The RCPT TO addresses, each once. */
  readonly envelope: readonly string[];
  readonly subject: string;
  /** The message's Message-ID. Null means that the message has no valid Message-ID. */
  readonly messageId: string | null;
  readonly dated: boolean;
  /** The custom headers among the fields that stay, decoded, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The fields that stay, in order. */
  readonly kept: readonly ForwardedField[];
}

export interface ForwardedField {
  readonly lowerName: string;
  readonly isCustom: boolean;
  /**
   * The field in the form that goes out, with one character per octet and without its last line
   * end.
   */
  readonly text: string;
}

const STRUCTURE = new Set("from to cc reply-to subject date message-id mime-version".split(" "));
const MESSAGE_ID = /^<[!-;=?-~][!-;=?A-~]*@[!-;=?-~]+>$/;
const MESSAGE_ID_CHARACTERS = 900;

/**
 * Validates a submission. Undefined means that an error was added to `problems`. `ipPools` are the
 * team's own pools.
 */
export function validateSubmission(
  recipients: readonly string[],
  fields: readonly HeaderField[],
  ipPools: readonly string[],
  problems: FieldProblems,
): ValidSubmission | undefined {
  const before = problems.count;
  const kept = mergeRepeatedFields(fields.filter(isKept));
  const sender = readFromHeader(kept, problems);
  const { envelope } = readRecipients({ to: recipients }, problems);
  refuseMisnamedOptions(fields, problems);
  const options = readOptions(fields, ipPools, problems);
  if (!sender || problems.count > before) return undefined;
  const subject = toOneLine(decodeWords(valuesOf(kept, "subject")[0] ?? "").text);
  const [messageId = null] = valuesOf(kept, "message-id");
  const dated = valuesOf(kept, "date").length > 0;
  const outgoing = kept.map((field) => ({
    lowerName: field.lowerName,
    isCustom: !isStructure(field.lowerName),
    text: (field.lowerName === "from" ? sender.text : null) ?? writeField(field),
  }));
  const headers = readCustomHeaders(kept.filter((_, index) => outgoing[index]?.text !== ""));
  const keptFields = outgoing.filter(({ text }) => text !== "");
  return {
    ...options,
    from: sender.mailbox,
    envelope,
    ...readDisplayedAddresses(kept),
    subject,
    messageId,
    dated,
    headers,
    kept: keptFields,
  };
}

/**
 * Returns whether a field stays. An invalid Message-ID and an empty Date are removed, so that the
 * service can add its own. A field's name may have all characters that RFC 5322 §3.6.8 allows.
 */
function isKept({ name, lowerName, value }: HeaderField): boolean {
  if (lowerName === "message-id")
    return value.length <= MESSAGE_ID_CHARACTERS && MESSAGE_ID.test(value);
  if (lowerName === "date") return value !== "";
  return (
    isStructure(lowerName) || (name.length <= HEADER_NAME_CHARACTERS && !isReservedHeader(name))
  );
}

function isStructure(lowerName: string): boolean {
  return STRUCTURE.has(lowerName) || lowerName.startsWith("content-");
}

function readCustomHeaders(kept: readonly HeaderField[]): [name: string, value: string][] {
  return kept
    .filter(({ lowerName }) => !isStructure(lowerName))
    .map(({ name, value }) => [name, toOneLine(decodeWords(value).text).trim()]);
}

function readDisplayedAddresses(
  kept: readonly HeaderField[],
): Pick<ValidSubmission, "to" | "cc" | "replyTo"> {
  const listed = (name: string, limit: number): Mailbox[] =>
    valuesOf(kept, name).flatMap((value) => parseAddressList(value, limit));
  return {
    to: listed("to", RECIPIENTS_PER_SEND),
    cc: listed("cc", RECIPIENTS_PER_SEND),
    replyTo: listed("reply-to", REPLY_TO_ENTRIES),
  };
}
