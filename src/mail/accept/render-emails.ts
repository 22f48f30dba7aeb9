// What variables and templates make of a send (spec.md "Send request", `template_id`, `variables`, rules 1 and 3): its final words. They are rendered here,
// once, and not for each recipient again, so that nothing can fail after the 202; what is accepted stays as it is when the template changes.
import type { ApiRequest } from "../../endpoint.ts";
import { coreFor, type Scope } from "../../db/client.ts";
import { BODY_CHARACTERS, CUSTOM_HEADER_VALUE_CHARACTERS, SUBJECT_CHARACTERS } from "../../limits.ts";
import { sendableTemplate } from "../../resources/templates/cache.ts";
import type { Sendable } from "../../resources/templates/store.ts";
import { isLongerThan } from "./body.ts";
import { headerLine } from "./custom-headers.ts";
import { type Findings, pathSegment } from "./findings.ts";
import type { JsonObject } from "./fields.ts";
import { Renderer } from "./renderer.ts";
import { oneLine } from "./sanitize.ts";
import type { ValidEmail } from "./validate.ts";

/** A send whose words are final, but for each recipient's own link. */
export interface RenderedEmail extends Omit<ValidEmail, "subject" | "variables"> {
  readonly subject: string;
  /** What stands for the link (mail/message.ts); undefined: there is none. */
  readonly linkMark: string | undefined;
}

interface Unrendered {
  readonly email: ValidEmail;
  /** Where its errors go. */
  readonly findings: Findings;
}

/** What one send is written with; `variables` null: its words stay as they are. */
interface Pen {
  readonly variables: JsonObject | null;
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
  readonly clean: (text: string) => string;
  readonly characters: number;
  readonly tooLong: "invalid" | "malformed";
}

const SUBJECT: Kind = { escape: false, clean: oneLine, characters: SUBJECT_CHARACTERS, tooLong: "invalid" };
const HEADER: Kind = { escape: false, clean: headerLine, characters: CUSTOM_HEADER_VALUE_CHARACTERS, tooLong: "invalid" };
const TEXT: Kind = { escape: false, clean: (text) => text, characters: BODY_CHARACTERS, tooLong: "malformed" };
const HTML: Kind = { ...TEXT, escape: true };

/** A variable of the caller's of that name gives way to the recipient's link. */
const LINK_VARIABLE = "unsubscribe_url";

/** The sends of one request, in order; undefined when an error was found in one of them. */
export async function renderEmails({ env, caller }: ApiRequest, sends: readonly Unrendered[]): Promise<RenderedEmail[] | undefined> {
  const templates = await templatesOf(coreFor(env, caller.team.id), sends);
  const renderer = new Renderer();
  const rendered = sends.flatMap((send) => renderEmail(send, templates, renderer) ?? []);
  return rendered.length === sends.length ? rendered : undefined;
}

/** Each template that the sends name, looked up once. */
async function templatesOf(scope: Scope, sends: readonly Unrendered[]): Promise<Map<string, Sendable | undefined>> {
  const ids = new Set(sends.flatMap(({ email: { templateId } }) => templateId ?? []));
  return new Map(await Promise.all(Array.from(ids, async (id) => [id, await sendableTemplate(scope, id)] as const)));
}

function renderEmail(
  { email, findings }: Unrendered,
  templates: ReadonlyMap<string, Sendable | undefined>,
  renderer: Renderer,
): RenderedEmail | undefined {
  const before = findings.count;
  const template = email.templateId === null ? null : templates.get(email.templateId);
  if (template === undefined) {
    findings.malformed("template_id", "is not a published template of this team");
    return undefined;
  }
  const { variables: given, ...rest } = email;
  const linkMark = email.unsubscribe ? `unsubscribe-${crypto.randomUUID()}` : undefined;
  const variables = linkMark === undefined ? given : { ...given, [LINK_VARIABLE]: linkMark };
  const pen: Pen = { variables: Object.keys(variables).length > 0 ? variables : null, renderer, findings };
  const subject = subjectOf(email, template, pen);
  const text = bodyOf("text", TEXT, email, template, pen);
  const html = bodyOf("html", HTML, email, template, pen);
  const headers = pen.variables ? headersOf(email, pen) : email.headers;
  return findings.count > before ? undefined : { ...rest, subject, text, html, headers, linkMark };
}

function subjectOf({ subject }: ValidEmail, template: Sendable | null, pen: Pen): string {
  const source = subject === null ? partOf(template?.subject, "a subject") : { text: subject, path: "subject", of: "" };
  if (!source) {
    pen.findings.invalid("subject", "is required, since the template has none");
    return "";
  }
  const line = write(source, SUBJECT, pen);
  if (line?.trim() === "") pen.findings.invalid("subject", "renders to nothing");
  return line ?? "";
}

/** An empty part counts as none. */
function bodyOf(name: "text" | "html", kind: Kind, email: ValidEmail, template: Sendable | null, pen: Pen): string | null {
  const own = email[name];
  const source = template ? partOf(template[name], name === "text" ? "a text" : "HTML") : own !== null && { text: own, path: name, of: "" };
  return (source && write(source, kind, pen)) || null;
}

function headersOf({ headers }: ValidEmail, pen: Pen): RenderedEmail["headers"] {
  return headers.map(([name, value]) => [name, write({ text: value, path: `headers.${pathSegment(name)}`, of: "" }, HEADER, pen) ?? ""]);
}

function partOf(text: string | null | undefined, named: string): Source | undefined {
  return text ? { text, path: "template_id", of: `has ${named} that ` } : undefined;
}

/** The final text of one field; undefined when it was reported. */
function write({ text, path, of }: Source, { escape, clean, characters, tooLong }: Kind, pen: Pen): string | undefined {
  if (!pen.variables) return text;
  const rendered = pen.renderer.render(text, pen.variables, escape);
  if (rendered.kind === "error") {
    pen.findings.invalid(path, of + rendered.problem);
    return undefined;
  }
  const final = rendered.kind === "text" ? clean(rendered.text) : undefined;
  if (final !== undefined && !isLongerThan(final, characters)) return final;
  pen.findings[tooLong](path, `${of}renders to more than ${characters} characters`);
  return undefined;
}
