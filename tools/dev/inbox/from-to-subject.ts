// Reads the first From, To, Subject and Message-ID of a message for a list of mail. The fields are
// unfolded and their encoded words decoded (RFC 2047), but the rest of the message is not parsed.
import { decodeWords } from "postal-mime";
import type { MessageHead } from "./inbox-store.ts";

const HEADERS_BYTES = 256 * 1024;
const SHOWN_CHARACTERS = 2000;

/** Returns the four fields. A missing field is an empty text. */
export function headingsOf(
  raw: Buffer,
): Pick<MessageHead, "from" | "to" | "subject" | "message_id"> {
  const [headers = ""] = `\r\n${raw.toString("utf8", 0, HEADERS_BYTES)}`.split("\r\n\r\n", 1);
  const found = new Map<string, string>();
  for (const field of headers.split(/\r\n(?![ \t])/)) {
    const colon = field.indexOf(":");
    const name = field.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    if (!found.has(name)) found.set(name, field.slice(colon + 1));
  }
  const shown = (name: string): string =>
    decodeWords((found.get(name) ?? "").replaceAll("\r\n", "").trim()).slice(0, SHOWN_CHARACTERS);
  return {
    from: shown("from"),
    to: shown("to"),
    subject: shown("subject"),
    message_id: shown("message-id"),
  };
}
