// Writes one attachment as a part of a message, with its type, file name and transfer encoding
// (contract.md §Attachments). Attachments are encoded in base64, except for an attached message,
// which must stay unencoded (RFC 2046 §5.2.1). If SMTP cannot carry it unencoded, an attached
// message is sent as application/octet-stream. Pure.
import { Buffer } from "node:buffer";
import type { Steps } from "../../lib/step-scheduler.ts";
import type { StoredAttachment } from "../message.ts";
import { wrapBase64 } from "../../lib/mime/body-encoding.ts";
import { foldHeader, headerText } from "../../lib/mime/header-folding.ts";
import { hasLongLine } from "./raw-lines.ts";
import {
  extendedParameters,
  nameTokens,
  parameterTokens,
  parseMediaType,
} from "./content-parameters.ts";

/** A part's folded header values and its body, all in ASCII. */
export interface MimePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BYTES_TYPE = { essence: "application/octet-stream", parameters: [] };
const NAMELESS = "attachment";
const MAIL_SAFE = /^[\t\r\n -~]*$/;
const LINE_END = /\r\n?|\n/g;
/** Number of characters whose line ends are normalised in one step. */
const OCTETS_PER_STEP = 262_144;

export function* attachmentPart(attachment: StoredAttachment): Steps<MimePart> {
  const filename = headerText(attachment.filename).trim() || NAMELESS;
  const type = parseMediaType(attachment.contentType) ?? BYTES_TYPE;
  const contentId = contentIdOf(attachment);
  const message = type.essence.startsWith("message/")
    ? yield* readAttachedMessage(attachment.content)
    : undefined;
  // A part of a composite type must not be in base64, and the boundaries of such a file may be
  // wrong. So the part gets another type.
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
        parameterTokens(
          contentId ? "inline" : "attachment",
          extendedParameters("filename", filename),
        ),
      ),
    },
    body: message ?? wrapBase64(attachment.content),
  };
}

/**
 * The Content-ID to which `cid:` links refer. Undefined means that the attachment is not inline.
 */
export function contentIdOf(attachment: StoredAttachment): string | undefined {
  const id = headerText(attachment.contentId ?? "").replace(/[<> ]/g, "");
  return id.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)) || undefined;
}

/**
 * Returns the attached message with CRLF line ends. Undefined means that the message is not 7-bit,
 * or that a line is too long.
 */
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

/**
 * Converts line ends to CRLF in steps. The conversion of one step takes four times as long as
 * writing the same number of octets.
 */
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
