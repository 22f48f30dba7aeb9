// Writes one attachment as a part of a message: its type, its file name, its transfer encoding (contract.md §Attachments). Base64, except for an
// attached message, which RFC 2046 §5.2.1 wants unencoded: it goes as it is when it is mail-safe, else as plain bytes.
import { Buffer } from "node:buffer";
import type { StoredAttachment } from "../message.ts";
import { wrapBase64 } from "../../lib/mime/body-encoding.ts";
import { foldHeader, headerText } from "../../lib/mime/header-folding.ts";
import { filenameParameters, nameTokens, parameterTokens, parseMediaType } from "./parameters.ts";

/** A part's header values, folded, and its body; all ASCII. */
export interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BYTES_TYPE = { essence: "application/octet-stream", parameters: [] };
const NAMELESS = "attachment";
const MAIL_SAFE = /^[\t\r\n -~]*$/;
const SMTP_LINE_CHARACTERS = 998;

export function attachmentPart(attachment: StoredAttachment): Part {
  const filename = headerText(attachment.filename).trim() || NAMELESS;
  const type = parseMediaType(attachment.contentType) ?? BYTES_TYPE;
  const contentId = contentIdOf(attachment);
  const message = type.essence.startsWith("message/") ? attachedMessage(attachment.content) : undefined;
  // A composite type can't be base64, and its boundaries can't be vouched for.
  const isOpaque = type.essence.startsWith("multipart/") || (type.essence.startsWith("message/") && message === undefined);
  const { essence, parameters } = isOpaque ? BYTES_TYPE : type;
  return {
    headers: {
      ...(contentId && { "Content-ID": foldHeader("Content-ID", [`<${contentId}>`]) }),
      "Content-Type": foldHeader("Content-Type", [...[essence, ...parameters].map((item) => `${item};`), ...nameTokens(filename)]),
      "Content-Transfer-Encoding": message === undefined ? "base64" : "7bit",
      "Content-Disposition": foldHeader(
        "Content-Disposition",
        parameterTokens(contentId ? "inline" : "attachment", filenameParameters(filename)),
      ),
    },
    body: message ?? wrapBase64(attachment.content),
  };
}

/** What `cid:` links name, or undefined for an attachment that stands by itself. */
export function contentIdOf(attachment: StoredAttachment): string | undefined {
  const id = headerText(attachment.contentId ?? "").replace(/[<> ]/g, "");
  return id.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)) || undefined;
}

/** The message with CRLF line ends; undefined when it isn't 7-bit or has a line that SMTP can't carry. */
function attachedMessage(content: string): string | undefined {
  const text = Buffer.from(content, "base64").toString("latin1");
  if (!MAIL_SAFE.test(text)) return undefined;
  const lines = text.split(/\r\n?|\n/);
  return lines.some((line) => line.length > SMTP_LINE_CHARACTERS) ? undefined : lines.join("\r\n");
}
