// Builds the body of a message as a tree of MIME parts, with only the levels that it needs (docs/architecture.md §Compose): mixed(alternative(text,
// related(html, inline…)), attachments…). Every header value is encoded and folded before it is written out.
import type { MessageContent } from "../message.ts";
import { type Part, attachmentPart, contentIdOf } from "./attachment.ts";
import { encodeTextBody } from "../../lib/mime/body-encoding.ts";
import { foldHeader } from "../../lib/mime/header-folding.ts";
import { parameterTokens } from "./parameters.ts";

type Multipart = "mixed" | "alternative" | "related";

/** The message's content headers and its body. `seed` makes the boundaries: the same in every copy of a message. */
export function mimeEntity(content: MessageContent, seed: string): Part {
  if (content.attachments.length === 0) return readablePart(content, [], seed);
  const isInline = content.attachments.map((attachment) => content.html !== null && contentIdOf(attachment) !== undefined);
  const inline = content.attachments.filter((_, index) => isInline[index]).map(attachmentPart);
  const attached = content.attachments.filter((_, index) => !isInline[index]).map(attachmentPart);
  const readable = readablePart(content, inline, seed);
  return attached.length === 0 ? readable : multipart("mixed", [readable, ...attached], seed);
}

/** A part's header, one line end after each field. */
export function headerLines({ headers }: Part): string {
  let text = "";
  for (const [name, value] of Object.entries(headers)) text += `${name}: ${value}\r\n`;
  return text;
}

function readablePart(content: MessageContent, inline: readonly Part[], seed: string): Part {
  const bodies: Part[] = [];
  if (content.text !== null || content.html === null) bodies.push(textPart("text/plain", content.text ?? ""));
  if (content.html !== null) {
    const html = textPart("text/html", content.html);
    bodies.push(inline.length === 0 ? html : multipart("related", [html, ...inline], seed));
  }
  const [body = textPart("text/plain", ""), ...others] = bodies;
  return others.length === 0 ? body : multipart("alternative", bodies, seed);
}

function textPart(type: "text/plain" | "text/html", text: string): Part {
  const { encoding, data } = encodeTextBody(text);
  return { headers: { "Content-Type": `${type}; charset=utf-8`, "Content-Transfer-Encoding": encoding }, body: data };
}

/** Boundaries begin with "=_", which neither quoted-printable nor base64 can contain, and which no 7-bit body of ours has at the start of a line. */
function multipart(kind: Multipart, parts: readonly Part[], seed: string): Part {
  const boundary = `=_${seed.replace(/[^A-Za-z0-9]/g, "").slice(-32)}_${kind}`;
  const parameters = [...(kind === "related" ? ['type="text/html"'] : []), `boundary="${boundary}"`];
  return {
    headers: { "Content-Type": foldHeader("Content-Type", parameterTokens(`multipart/${kind}`, parameters)) },
    body: `${parts.map((part) => `--${boundary}\r\n${headerLines(part)}\r\n${part.body}\r\n`).join("")}--${boundary}--`,
  };
}
