// Writes one attachment as a part of a message, with its type, file name and transfer encoding
// (contract.md §Attachments). Attachments are base64, except an attached message: RFC 2046 §5.2.1
// wants it unencoded. It goes unchanged if it is mail-safe, else as application/octet-stream. Pure.
import { Buffer } from "node:buffer";
import type { Steps } from "../../lib/step-scheduler.ts";
import type { StoredAttachment } from "../message.ts";
import { wrapBase64 } from "../../lib/mime/body-encoding.ts";
import { foldHeader, headerText } from "../../lib/mime/header-folding.ts";
import { hasLongLine } from "./raw-lines.ts";
import { filenameParameters, nameTokens, parameterTokens, parseMediaType } from "./parameters.ts";

/** A part's header values, folded, and its body; all ASCII. */
export interface MimePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BYTES_TYPE = { essence: "application/octet-stream", parameters: [] };
const NAMELESS = "attachment";
const MAIL_SAFE = /^[\t\r\n -~]*$/;
const LINE_END = /\r\n?|\n/g;
/** Characters whose line ends are normalised in one step. */
const OCTETS_PER_STEP = 262_144;

export function* attachmentPart(attachment: StoredAttachment): Steps<MimePart> {
  const filename = headerText(attachment.filename).trim() || NAMELESS;
  const type = parseMediaType(attachment.contentType) ?? BYTES_TYPE;
  const contentId = contentIdOf(attachment);
  const message = type.essence.startsWith("message/")
    ? yield* readAttachedMessage(attachment.content)
    : undefined;
  // A composite type must not be base64, and we cannot vouch for its boundaries.
  const isOpaque =
    type.essence.startsWith("multipart/") ||
    (type.essence.startsWith("message/") && message === undefined);
  const { essence, parameters } = isOpaque ? BYTES_TYPE : type;
  return {
    headers: {
      ...(contentId && { "Content-ID": foldHeader("Content-ID", [`<${contentId}>`]) }),
      "Content-Type": foldHeader("Content-Type", [
        ...[essence, ...parameters].map((item) => `${item};`),
        ...nameTokens(filename),
      ]),
      "Content-Transfer-Encoding": message === undefined ? "base64" : "7bit",
      "Content-Disposition": foldHeader(
        "Content-Disposition",
        parameterTokens(contentId ? "inline" : "attachment", filenameParameters(filename)),
      ),
    },
    body: message ?? wrapBase64(attachment.content),
  };
}

/** The id that `cid:` links name; undefined: the attachment is not inline. */
export function contentIdOf(attachment: StoredAttachment): string | undefined {
  const id = headerText(attachment.contentId ?? "").replace(/[<> ]/g, "");
  return id.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)) || undefined;
}

/** The attached message with CRLF line ends; undefined: it is not 7-bit, or a line is too long. */
function* readAttachedMessage({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array): Steps<string | undefined> {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
  if (!MAIL_SAFE.test(text)) return undefined;
  const lined = yield* toCrlf(text);
  return hasLongLine(Buffer.from(lined, "latin1")) ? undefined : lined;
}

/** Converting one step of characters takes four times as long as writing that many octets. */
function* toCrlf(text: string): Steps<string> {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end =
      start + OCTETS_PER_STEP + (text.startsWith("\r\n", start + OCTETS_PER_STEP - 1) ? 1 : 0);
    pieces.push(text.slice(start, end).replace(LINE_END, "\r\n"));
    start = end;
    yield 4 * OCTETS_PER_STEP;
  }
  return pieces.join("");
}
