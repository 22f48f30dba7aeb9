// Renders the subject, header values and bodies of one send from its variables and its template
// (contract.md §Variables). Sends over HTTP and SMTP have the same limits, the same refusals, and
// the same placeholder for each recipient's own link.
import type { Scope } from "../../../db/client.ts";
import {
  BODY_CHARACTERS,
  CUSTOM_HEADER_VALUE_CHARACTERS,
  SUBJECT_CHARACTERS,
} from "../../../limits.ts";
import { withFallbacks } from "../../../resources/templates/fallbacks.ts";
import { getSendable } from "../../../resources/templates/template-cache.ts";
import { HtmlInText } from "../../../resources/templates/html-in-text.ts";
import type { Sendable, TemplateParts } from "../../../resources/templates/sendable.ts";
import { LINK_VARIABLE } from "../../../resources/templates/template-variables.ts";
import { pathSegment } from "../../../refusal.ts";
import { isLongerThan } from "../body.ts";
import { toHeaderLine } from "../custom-headers.ts";
import type { Message } from "../../message.ts";
import type { FieldProblems } from "../field-problems.ts";
import type { JsonObject } from "../fields.ts";
import type { RequestRenderer } from "./request-renderer.ts";
import { toOneLine } from "../sanitize.ts";
import type { MessageOptions } from "../send-options.ts";

/** The values with which one send is rendered. `variables` is null if nothing is rendered. */
export interface SendRenderer {
  readonly variables: JsonObject | null;
  /**
   * The placeholder for the recipient's link (mail/message.ts). Undefined means that the text has
   * no such link.
   */
  readonly linkPlaceholder: string | undefined;
  readonly renderer: RequestRenderer;
  readonly problems: FieldProblems;
}

export interface Source {
  readonly text: string;
  readonly path: string;
  /**
   * Words at the start of the error's text that name the faulty part, if the field's name does not
   * name it.
   */
  readonly problemStart: string;
}

interface FieldKind {
  readonly escape: boolean;
  /**
   * True for text that is derived from an HTML template. In such text, a variable in triple braces
   * is HTML.
   */
  readonly isDerived?: boolean;
  readonly clean: (text: string) => string;
  readonly characters: number;
  readonly tooLong: "invalid" | "malformed";
}

const SUBJECT: FieldKind = {
  escape: false,
  clean: toOneLine,
  characters: SUBJECT_CHARACTERS,
  tooLong: "invalid",
};
const HEADER: FieldKind = {
  escape: false,
  clean: toHeaderLine,
  characters: CUSTOM_HEADER_VALUE_CHARACTERS,
  tooLong: "invalid",
};
const TEXT: FieldKind = {
  escape: false,
  clean: (text) => text,
  characters: BODY_CHARACTERS,
  tooLong: "malformed",
};
const HTML: FieldKind = { ...TEXT, escape: true };
const DERIVED_TEXT: FieldKind = { ...TEXT, isDerived: true };
export const EMPTY_SUBJECT = "is empty once rendered";
const BODIES = { text: TEXT, html: HTML } as const;

/**
 * Prepares the rendering of one send. If `own` does not have a variable, the template's fallback is
 * its value. The variable LINK_VARIABLE is always the recipient's link. A send with generated
 * unsubscribe links is rendered even if it has no other variables.
 */
export function sendRendererFor(
  { unsubscribe, variables: own }: Pick<MessageOptions, "unsubscribe" | "variables">,
  template: Sendable | null,
  renderer: RequestRenderer,
  problems: FieldProblems,
): SendRenderer {
  const linkPlaceholder = unsubscribe ? `unsubscribe-${crypto.randomUUID()}` : undefined;
  const given = withFallbacks(own, template?.fallbacks ?? null);
  const variables =
    linkPlaceholder === undefined ? given : { ...given, [LINK_VARIABLE]: linkPlaceholder };
  return {
    variables: Object.keys(variables).length > 0 ? variables : null,
    linkPlaceholder,
    renderer,
    problems,
  };
}

/**
 * The templates that the sends of a request name, by the id or alias in the send. Undefined means
 * that the team does not have the template.
 */
export type Templates = ReadonlyMap<string, Sendable | "unpublished" | undefined>;

/** Looks up each template that the sends name, each only once. */
export async function findTemplates(
  scope: Scope,
  named: readonly (string | null)[],
): Promise<Templates> {
  const different = new Set(named.filter((name) => name !== null));
  return new Map(
    await Promise.all(
      Array.from(different, async (name) => [name, await getSendable(scope, name)] as const),
    ),
  );
}

/**
 * Returns the template that a send names. Null means that the send names no template. Undefined
 * means that an error was reported.
 */
export function requireTemplate(
  templates: Templates,
  named: string | null,
  problems: FieldProblems,
): Sendable | null | undefined {
  if (named === null) return null;
  const template = templates.get(named);
  if (typeof template === "object") return template;
  const problem =
    template === undefined
      ? ""
      : `: it was never published. Publish its draft first: POST /v1/templates/${named}/publish`;
  problems.malformed("template_id", `is not a published template of this team${problem}`);
  return undefined;
}

/**
 * Returns the facts of a send that depend on its template. If a template is sensitive or tracks
 * replies, all its sends do.
 */
export function factsWithTemplate(
  own: Pick<Message, "sensitive" | "replyTracking">,
  template: Sendable | null,
): Pick<Message, "templateId" | "templateVersion" | "sensitive" | "replyTracking"> {
  return {
    // The template's id, even if the send named the template by its alias.
    templateId: template?.id ?? null,
    templateVersion: template?.version ?? undefined,
    sensitive: own.sensitive ?? (template?.sensitive || undefined),
    replyTracking: own.replyTracking ?? (template?.replyTracking || undefined),
  };
}

/**
 * Renders the send's own subject or, without it, the template's subject. Reports a send without any
 * subject.
 */
export function renderSubject(
  own: string | null,
  template: TemplateParts | null,
  send: SendRenderer,
): string {
  const source =
    own === null
      ? sourceOf(template?.subject, "a subject")
      : { text: own, path: "subject", problemStart: "" };
  if (!source) {
    send.problems.invalid("subject", "is required, since the template has none");
    return "";
  }
  const line = renderSubjectLine(source, send);
  if (line?.trim() === "") send.problems.invalid("subject", EMPTY_SUBJECT);
  return line ?? "";
}

/** Renders a subject. The result may be empty. Undefined means that an error was reported. */
export function renderSubjectLine(source: Source, send: SendRenderer): string | undefined {
  return renderField(source, SUBJECT, send);
}

export function renderHeader(name: string, value: string, send: SendRenderer): string {
  return (
    renderField(
      { text: value, path: `headers.${pathSegment(name)}`, problemStart: "" },
      HEADER,
      send,
    ) ?? ""
  );
}

/**
 * Renders a body of the send itself. Null means that the body is empty, or that an error was
 * reported.
 */
export function renderBody(
  name: "text" | "html",
  own: string | null,
  send: SendRenderer,
): string | null {
  return own === null
    ? null
    : renderField({ text: own, path: name, problemStart: "" }, BODIES[name], send) || null;
}

/**
 * Renders a body of the template. Null means that the body is empty, or that an error was reported.
 */
export function renderTemplateBody(
  name: "text" | "html",
  template: TemplateParts,
  send: SendRenderer,
): string | null {
  const source = sourceOf(template[name], name === "text" ? "a text" : "HTML");
  return source ? renderTemplatePart(name, source, send) : null;
}

/**
 * Renders HTML of a template, or text derived from that HTML. Null means that the result is empty,
 * or that an error was reported.
 */
export function renderTemplatePart(
  name: "text" | "html",
  source: Source,
  send: SendRenderer,
): string | null {
  return renderField(source, name === "text" ? DERIVED_TEXT : HTML, send) || null;
}

function sourceOf(text: string | null | undefined, named: string): Source | undefined {
  return text ? { text, path: "template_id", problemStart: `has ${named} that ` } : undefined;
}

/** Renders one field. Undefined means that an error was reported. */
function renderField(
  { text, path, problemStart }: Source,
  { escape, isDerived, clean, characters, tooLong }: FieldKind,
  send: SendRenderer,
): string | undefined {
  if (!send.variables) return text;
  const rendered = send.renderer.render(text, send.variables, {
    escape,
    ...(isDerived && { flow: new HtmlInText() }),
  });
  if (rendered.kind === "error") {
    send.problems.invalid(path, problemStart + rendered.problem);
    return undefined;
  }
  const final = rendered.kind === "text" ? clean(rendered.text) : undefined;
  if (final !== undefined && !isLongerThan(final, characters)) return final;
  send.problems[tooLong](path, `${problemStart}renders to more than ${characters} characters`);
  return undefined;
}
