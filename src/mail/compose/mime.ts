// Builds the body of a message as a tree of MIME parts, with only those levels that have more than
// one part (docs/architecture.md §Compose): mixed(alternative(text, related(html, inline…)),
// attachments…). Every header value is encoded and folded before it is written. Pure.
import type { MessageContent } from "../message.ts";
import { type MimePart, attachmentPart, contentIdOf } from "./attachment.ts";
import type { Steps } from "../../lib/step-scheduler.ts";
import { encodeTextBody } from "../../lib/mime/body-encoding.ts";
import { foldHeader } from "../../lib/mime/header-folding.ts";
import { parameterTokens } from "./content-parameters.ts";

type Multipart = "mixed" | "alternative" | "related";

/**
 * Builds the message's content headers and its body, one part per step. The boundaries are derived
 * from `seed`, so that they are the same in every copy of a message.
 */
export function* mimeEntity(content: MessageContent, seed: string): Steps<MimePart> {
  const inline: MimePart[] = [];
  const attached: MimePart[] = [];
  for (const attachment of content.attachments) {
    const isInline = content.html !== null && contentIdOf(attachment) !== undefined;
    const part = yield* attachmentPart(attachment);
    (isInline ? inline : attached).push(part);
    yield part.body.length;
  }
  const readable = yield* readablePart(content, inline, seed);
  return attached.length === 0 ? readable : multipart("mixed", [readable, ...attached], seed);
}

/** Returns a part's header as text, with a line end after each field. */
export function headerLines({ headers }: MimePart): string {
  let text = "";
  for (const [name, value] of Object.entries(headers)) text += `${name}: ${value}\r\n`;
  return text;
}

function* readablePart(
  content: MessageContent,
  inline: readonly MimePart[],
  seed: string,
): Steps<MimePart> {
  const bodies: MimePart[] = [];
  if (content.text !== null || content.html === null) {
    bodies.push(textPart("text/plain", content.text ?? ""));
    yield content.text?.length ?? 0;
  }
  if (content.html !== null) {
    const html = textPart("text/html", content.html);
    yield content.html.length;
    bodies.push(inline.length === 0 ? html : multipart("related", [html, ...inline], seed));
  }
  const [body = textPart("text/plain", ""), ...others] = bodies;
  return others.length === 0 ? body : multipart("alternative", bodies, seed);
}

function textPart(type: "text/plain" | "text/html", text: string): MimePart {
  const { encoding, data } = encodeTextBody(text);
  return {
    headers: { "Content-Type": `${type}; charset=utf-8`, "Content-Transfer-Encoding": encoding },
    body: data,
  };
}

/**
 * Joins parts into a multipart. Boundaries begin with "=_", which cannot occur in quoted-printable
 * or base64. Other 7-bit bodies of the service never begin a line with "=_".
 */
function multipart(kind: Multipart, parts: readonly MimePart[], seed: string): MimePart {
  const boundary = `=_${seed.replace(/[^A-Za-z0-9]/g, "").slice(-32)}_${kind}`;
  const parameters = [
    ...(kind === "related" ? ['type="text/html"'] : []),
    `boundary="${boundary}"`,
  ];
  const bodies = parts.map((part) => `--${boundary}\r\n${headerLines(part)}\r\n${part.body}\r\n`);
  return {
    headers: {
      "Content-Type": foldHeader("Content-Type", parameterTokens(`multipart/${kind}`, parameters)),
    },
    body: `${bodies.join("")}--${boundary}--`,
  };
}
