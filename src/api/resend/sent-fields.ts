// Converts names and header values for a Postern send (docs/from-resend.md §Sending). The adapters
// of frameworks send them to Resend in other forms. Pure.
import { isJsonObject } from "../../lib/json.ts";
import { decodeWords } from "../../lib/mime/decode-words.ts";
import { CUSTOM_HEADERS } from "../../limits.ts";
import { HeaderFields, selectHeaders } from "../../mail/accept/custom-headers.ts";
import { toOneLine } from "../../mail/accept/sanitize.ts";

/**
 * Decodes the encoded words (RFC 2047) of a mailbox's display name, because Postern encodes the
 * name itself. A word in an unknown charset stays as it is.
 */
export function withDecodedName(mailbox: unknown): unknown {
  if (typeof mailbox !== "string" || !mailbox.includes("=?")) return mailbox;
  const open = mailbox.lastIndexOf("<");
  const name = mailbox.slice(0, Math.max(open, 0)).trim();
  const { text, complete } = decodeWords(name.replace(/^"(.*)"$/s, "$1"));
  if (name === "" || !complete) return mailbox;
  return `"${toOneLine(text).replace(/["\\]/g, "\\$&")}" ${mailbox.slice(open)}`;
}

/** Writes numbers and booleans as texts. A list becomes one field for each of its items. */
export function fieldsOf(headers: unknown): unknown {
  if (!isJsonObject(headers)) return headers;
  return Object.fromEntries(
    selectHeaders(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? itemsOf(value) : textOf(value),
    ]),
  );
}

/**
 * Converts the items of a list. Stops at one more than the maximum number of headers, which
 * validation refuses.
 */
function itemsOf(items: readonly unknown[]): HeaderFields {
  const given = items.slice(0, CUSTOM_HEADERS + 1).filter((item) => item !== null);
  return new HeaderFields(given.map(textOf));
}

function textOf(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
