// Reads the headings for a list of mail without parsing the whole message: the first From, To and
// Subject, unfolded and with decoded words (RFC 2047).
import { decodeWords } from "postal-mime";

const HEADERS_BYTES = 256 * 1024;
const SHOWN_CHARACTERS = 2000;

export interface Headings {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
}

/** Reads the three fields. A missing field gives an empty text. */
export function headingsOf(raw: Buffer): Headings {
  const [headers = ""] = `\r\n${raw.toString("utf8", 0, HEADERS_BYTES)}`.split("\r\n\r\n", 1);
  const found = new Map<string, string>();
  for (const field of headers.split(/\r\n(?![ \t])/)) {
    const colon = field.indexOf(":");
    const name = field.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    if (!found.has(name)) found.set(name, field.slice(colon + 1));
  }
  const shown = (name: string): string =>
    decodeWords((found.get(name) ?? "").replaceAll("\r\n", "").trim()).slice(0, SHOWN_CHARACTERS);
  return { from: shown("from"), to: shown("to"), subject: shown("subject") };
}
