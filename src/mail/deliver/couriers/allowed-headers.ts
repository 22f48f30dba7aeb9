// Removes headers that Cloudflare's Email Service refuses: headers that are not on its allowlist,
// and headers with values that it calls invalid (docs/couriers.md). A lost header is better than a
// bounce. The rules are the platform's own
// (https://developers.cloudflare.com/email-service/reference/headers/). The platform itself signs
// the message, and sets CFBL-Address and Feedback-ID. Pure.
import { Buffer } from "node:buffer";

/** The optional parts of a message's header that are kept. */
export interface HeaderForm {
  /**
   * True to keep the Message-ID. The platform replaces every Message-ID, but a binding may refuse a
   * message without a Message-ID.
   */
  readonly withMessageId: boolean;
  /**
   * True to keep the allowed custom headers, in addition to sender, recipients, subject and
   * structure.
   */
  readonly withCustomHeaders: boolean;
}

/**
 * Fields that the platform takes in separate parameters, and fields that describe the structure of
 * the body.
 */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "from",
  "to",
  "cc",
  "reply-to",
  "subject",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
]);

/**
 * The allowed headers, each with the pattern that its value must match. Null means that any value
 * is allowed.
 */
const ALLOWED: Readonly<Record<string, RegExp | null>> = {
  "in-reply-to": null,
  references: null,
  "list-unsubscribe": /<(?:https|mailto):[^<>]+>/i,
  "list-unsubscribe-post": /^List-Unsubscribe=One-Click$/,
  "list-id": null,
  "list-archive": null,
  "list-help": null,
  "list-owner": null,
  "list-post": null,
  "list-subscribe": null,
  precedence: /^(?:bulk|list|junk)$/i,
  "auto-submitted": /^auto-(?:generated|replied|notified)$/i,
  "content-language": null,
  keywords: null,
  comments: null,
  importance: /^(?:high|normal|low)$/i,
  priority: /^(?:normal|non-urgent|urgent)$/i,
  sensitivity: /^(?:personal|private|company-confidential)$/i,
  organization: null,
  "require-recipient-valid-since": null,
  expires: null,
  "reply-by": null,
  "archived-at": null,
};
/** Values that the platform refuses although they match the header's pattern. */
const REFUSED: Readonly<Record<string, RegExp>> = { "list-unsubscribe": /<http:/i };
const X_HEADER = /^x-[a-z0-9_-]+$/;

const NAME_BYTES = 100;
const VALUE_BYTES = 2_048;
const ALLOWLISTED_FIELDS = 20;
const CUSTOM_BYTES = 16 * 1_024;
/** Number of bytes of `: ` and CRLF, which the platform counts for each header. */
const SEPARATOR_BYTES = 4;
/**
 * Headers that are kept before all others, because the number and the size of the headers are
 * limited.
 */
const FIRST: ReadonlySet<string> = new Set(["list-unsubscribe", "list-unsubscribe-post"]);

interface Field {
  /** The name in lower case. */
  readonly name: string;
  /** The value, unfolded and without surrounding white space. */
  readonly value: string;
  /** The field as it is in the message, with its line end. */
  readonly text: string;
}

/**
 * Returns the message with only the headers that the platform takes, in their order. The message
 * must have CRLF line ends.
 */
export function keepAllowedHeaders(
  message: Uint8Array,
  { withMessageId, withCustomHeaders }: HeaderForm,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  const headerEnd = end < 0 ? bytes.length : end + 2;
  const fields = splitFields(bytes.toString("latin1", 0, headerEnd));
  const custom = withCustomHeaders ? chooseCustom(fields) : new Set<Field>();
  const kept = fields.filter(
    (field) =>
      OWN_FIELDS.has(field.name.trimEnd()) ||
      (withMessageId && field.name.trimEnd() === "message-id") ||
      custom.has(field),
  );
  const header = Buffer.from(kept.map(({ text }) => text).join(""), "latin1");
  return Uint8Array.from(Buffer.concat([header, bytes.subarray(headerEnd)]));
}

/**
 * Splits a header into fields. Leaves out lines without a colon, and lines with a single CR or LF.
 */
function splitFields(header: string): Field[] {
  return header.split(/(?<=\r\n)(?![ \t])/).flatMap((text): Field[] => {
    const colon = text.indexOf(":");
    const unfolded = text.replaceAll("\r\n", "");
    if (colon < 1 || /[\r\n]/.test(unfolded)) return [];
    const name = text.slice(0, colon).toLowerCase();
    return [{ name, value: trimBlanks(unfolded.slice(colon + 1)), text }];
  });
}

/**
 * Removes spaces and tabs at both ends. The text has one character per octet, and String.trim would
 * also remove the last octet of a character such as à.
 */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** Chooses the custom headers that the platform takes, within its limits. */
function chooseCustom(fields: readonly Field[]): Set<Field> {
  const valid = firstOfEach(fields.filter(isValidCustom));
  const byPlace = [
    ...valid.filter(({ name }) => FIRST.has(name)),
    ...valid.filter(({ name }) => !FIRST.has(name)),
  ];
  const hasHttps = valid.some(
    ({ name, value }) => name === "list-unsubscribe" && /<https:/i.test(value),
  );
  const chosen = new Set<Field>();
  let [allowlisted, size] = [0, 0];
  for (const field of byPlace) {
    const isX = X_HEADER.test(field.name);
    const cost = field.name.length + field.value.length + SEPARATOR_BYTES;
    if (field.name === "list-unsubscribe-post" && !hasHttps) continue;
    if (size + cost > CUSTOM_BYTES || (!isX && allowlisted === ALLOWLISTED_FIELDS)) continue;
    size += cost;
    allowlisted += isX ? 0 : 1;
    chosen.add(field);
  }
  return chosen;
}

function isValidCustom({ name, value }: Field): boolean {
  if (name.length > NAME_BYTES || value.length === 0 || value.length > VALUE_BYTES) return false;
  if (X_HEADER.test(name)) return true;
  return (
    Object.hasOwn(ALLOWED, name) &&
    (ALLOWED[name]?.test(value) ?? true) &&
    !REFUSED[name]?.test(value)
  );
}

/** Keeps the first field of each name, because the platform takes each name only once. */
function firstOfEach(fields: readonly Field[]): Field[] {
  const seen = new Set<string>();
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name));
}
