// Renders the words of one send, from its variables and its template (contract.md §Variables),
// whichever way it came in: the same caps, the same refusals, and the same mark in the place of
// each recipient's own link.
import type { Scope } from "../../db/client.ts";
import {
  BODY_CHARACTERS,
  CUSTOM_HEADER_VALUE_CHARACTERS,
  SUBJECT_CHARACTERS,
} from "../../limits.ts";
import { getSendable } from "../../resources/templates/template-cache.ts";
import { HtmlInText } from "../../resources/templates/html-in-text.ts";
import type { Sendable } from "../../resources/templates/store.ts";
import { LINK_VARIABLE } from "../../resources/templates/template-variables.ts";
import { isLongerThan } from "./body.ts";
import { headerLine } from "./custom-headers.ts";
import { type Findings, pathSegment } from "./findings.ts";
import type { JsonObject } from "./fields.ts";
import type { LinkOptions } from "./link-options.ts";
import type { Renderer } from "./renderer.ts";
import { oneLine } from "./sanitize.ts";

/** What one send is written with; `variables` null: its words stay as they are. */
export interface SendRenderer {
  readonly variables: JsonObject | null;
  /** What stands for a recipient's link (mail/message.ts); undefined: there is none. */
  readonly linkMark: string | undefined;
  readonly renderer: Renderer;
  readonly findings: Findings;
}

interface Source {
  readonly text: string;
  readonly path: string;
  /** What of the field a problem is with. */
  readonly of: string;
}

interface Kind {
  readonly escape: boolean;
  /** The text of an HTML template, in which what triple braces bring in is HTML. */
  readonly isDerived?: boolean;
  readonly clean: (text: string) => string;
  readonly characters: number;
  readonly tooLong: "invalid" | "malformed";
}

const SUBJECT: Kind = {
  escape: false,
  clean: oneLine,
  characters: SUBJECT_CHARACTERS,
  tooLong: "invalid",
};
const HEADER: Kind = {
  escape: false,
  clean: headerLine,
  characters: CUSTOM_HEADER_VALUE_CHARACTERS,
  tooLong: "invalid",
};
const TEXT: Kind = {
  escape: false,
  clean: (text) => text,
  characters: BODY_CHARACTERS,
  tooLong: "malformed",
};
const HTML: Kind = { ...TEXT, escape: true };
const DERIVED_TEXT: Kind = { ...TEXT, isDerived: true };
const BODIES = { text: TEXT, html: HTML } as const;

/**
 * `given`: the send's variables. One of the name LINK_VARIABLE gives way to the recipient's link.
 * Where it asks for links, its words are always rendered.
 */
export function sendRendererFor(
  { unsubscribe, variables: given }: LinkOptions & { readonly variables: JsonObject },
  renderer: Renderer,
  findings: Findings,
): SendRenderer {
  const linkMark = unsubscribe ? `unsubscribe-${crypto.randomUUID()}` : undefined;
  const variables = linkMark === undefined ? given : { ...given, [LINK_VARIABLE]: linkMark };
  return {
    variables: Object.keys(variables).length > 0 ? variables : null,
    linkMark,
    renderer,
    findings,
  };
}

/**
 * The templates that the sends of a request name, by id. A template that the team does not have is
 * undefined.
 */
export type Templates = ReadonlyMap<string, Sendable | "unpublished" | undefined>;

/** Looks up each template that the sends name, once. */
export async function templatesOf(
  scope: Scope,
  named: readonly (string | null)[],
): Promise<Templates> {
  const ids = new Set(named.flatMap((id) => id ?? []));
  return new Map(
    await Promise.all(Array.from(ids, async (id) => [id, await getSendable(scope, id)] as const)),
  );
}

/** The template that a send names, null where it names none; undefined when it was reported. */
export function templateIn(
  templates: Templates,
  id: string | null,
  findings: Findings,
): Sendable | null | undefined {
  if (id === null) return null;
  const template = templates.get(id);
  if (typeof template === "object") return template;
  const problem =
    template === undefined
      ? ""
      : `: it was never published. Publish its draft first: POST /v1/templates/${id}/publish`;
  findings.malformed("template_id", `is not a published template of this team${problem}`);
  return undefined;
}

/** The send's own subject, or else the template's, which it must have then. */
export function renderSubject(
  own: string | null,
  template: Sendable | null,
  pen: SendRenderer,
): string {
  const source =
    own === null ? partOf(template?.subject, "a subject") : { text: own, path: "subject", of: "" };
  if (!source) {
    pen.findings.invalid("subject", "is required, since the template has none");
    return "";
  }
  const line = write(source, SUBJECT, pen);
  if (line?.trim() === "") pen.findings.invalid("subject", "renders to nothing");
  return line ?? "";
}

export function renderHeader(name: string, value: string, pen: SendRenderer): string {
  return write({ text: value, path: `headers.${pathSegment(name)}`, of: "" }, HEADER, pen) ?? "";
}

/** A body of the send's own; null when it is empty, or was reported. */
export function renderBody(
  name: "text" | "html",
  own: string | null,
  pen: SendRenderer,
): string | null {
  return own === null ? null : write({ text: own, path: name, of: "" }, BODIES[name], pen) || null;
}

/** A body of the template's. An empty part counts as none. */
export function renderTemplateBody(
  name: "text" | "html",
  template: Sendable,
  pen: SendRenderer,
): string | null {
  const source = partOf(template[name], name === "text" ? "a text" : "HTML");
  return source ? write(source, name === "text" ? DERIVED_TEXT : HTML, pen) || null : null;
}

function partOf(text: string | null | undefined, named: string): Source | undefined {
  return text ? { text, path: "template_id", of: `has ${named} that ` } : undefined;
}

/** The final text of one field; undefined when it was reported. */
function write(
  { text, path, of }: Source,
  { escape, isDerived, clean, characters, tooLong }: Kind,
  pen: SendRenderer,
): string | undefined {
  if (!pen.variables) return text;
  const rendered = pen.renderer.render(text, pen.variables, {
    escape,
    ...(isDerived && { flow: new HtmlInText() }),
  });
  if (rendered.kind === "error") {
    pen.findings.invalid(path, of + rendered.problem);
    return undefined;
  }
  const final = rendered.kind === "text" ? clean(rendered.text) : undefined;
  if (final !== undefined && !isLongerThan(final, characters)) return final;
  pen.findings[tooLong](path, `${of}renders to more than ${characters} characters`);
  return undefined;
}
