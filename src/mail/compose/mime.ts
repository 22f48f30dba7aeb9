// The body of a message as a tree of MIME parts, with only the levels that it needs (design.md section 4):
// mixed(alternative(text, related(html, inline…)), attachments…). mimetext writes out each part, header block and body; every value that it gets
// is encoded and folded before, since it encodes, folds and escapes nothing by itself.
import { type MIMEMessage, MIMEMessageContent } from "mimetext/browser";
import type { MessageContent } from "../message.ts";
import { type Part, attachmentPart, contentIdOf } from "./attachment.ts";
import { encodeTextBody } from "../../lib/mime/body-encoding.ts";
import { foldHeader } from "../../lib/mime/header-folding.ts";
import { parameterTokens } from "./parameters.ts";

type Multipart = "mixed" | "alternative" | "related";

/** The message's content headers, the blank line and its body. `seed` makes the boundaries: the same in every copy of a message. */
export function mimeEntity(skeleton: MIMEMessage, content: MessageContent, seed: string): string {
  const isInline = content.attachments.map((attachment) => content.html !== null && contentIdOf(attachment) !== undefined);
  const inline = content.attachments.filter((_, index) => isInline[index]).map(attachmentPart);
  const attached = content.attachments.filter((_, index) => !isInline[index]).map(attachmentPart);
  const boundarySeed = seed.replace(/[^A-Za-z0-9]/g, "");

  const dump = (part: Part): string => new MIMEMessageContent(skeleton.envctx, part.body, { ...part.headers }).dump();
  const join = (kind: Multipart, parts: readonly Part[]): Part => multipart(kind, parts.map(dump), boundarySeed);

  const bodies: Part[] = [];
  if (content.text !== null || content.html === null) bodies.push(textPart("text/plain", content.text ?? ""));
  if (content.html !== null) {
    const html = textPart("text/html", content.html);
    bodies.push(inline.length === 0 ? html : join("related", [html, ...inline]));
  }
  const [body = textPart("text/plain", ""), ...others] = bodies;
  const readable = others.length === 0 ? body : join("alternative", bodies);
  return dump(attached.length === 0 ? readable : join("mixed", [readable, ...attached]));
}

function textPart(type: "text/plain" | "text/html", text: string): Part {
  const { encoding, data } = encodeTextBody(text);
  return { headers: { "Content-Type": `${type}; charset=utf-8`, "Content-Transfer-Encoding": encoding }, body: data };
}

/** Boundaries begin with "=_", which neither quoted-printable nor base64 can contain, and which no 7-bit body of ours has at the start of a line. */
function multipart(kind: Multipart, parts: readonly string[], seed: string): Part {
  const boundary = `=_${seed.slice(-32)}_${kind}`;
  const parameters = [...(kind === "related" ? ['type="text/html"'] : []), `boundary="${boundary}"`];
  return {
    headers: { "Content-Type": foldHeader("Content-Type", parameterTokens(`multipart/${kind}`, parameters)) },
    body: `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--`,
  };
}
