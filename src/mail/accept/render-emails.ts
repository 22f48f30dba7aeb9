// What variables and templates make of the sends of one request: their final words (words.ts). They
// are rendered here, once, and not for each recipient again, so that nothing can fail after the
// 202; what is accepted stays as it is when the template changes.
import type { ApiRequest } from "../../endpoint.ts";
import { coreFor } from "../../db/client.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import type { Findings } from "./findings.ts";
import { missingVariables } from "./missing-variables.ts";
import { Renderer } from "./renderer.ts";
import type { ValidEmail } from "./validate-email.ts";
import {
  sendRendererFor,
  templateIn,
  type Templates,
  templatesOf,
  renderBody,
  renderHeader,
  renderSubject,
  renderTemplateBody,
} from "./words.ts";

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

/**
 * The sends of one request, in order; undefined when an error was found in one of them. Notes on
 * the response which variables their templates lack.
 */
export async function renderEmails(
  { env, caller, note }: ApiRequest,
  sends: readonly Unrendered[],
): Promise<RenderedEmail[] | undefined> {
  const named = sends.map(({ email }) => email.templateId);
  const templates = await templatesOf(coreFor(env, caller.team.id), named);
  const renderer = new Renderer();
  const rendered: RenderedEmail[] = [];
  for (const send of sends) {
    const email = renderEmail(send, templates, renderer);
    if (email) rendered.push(email);
    await yieldAfter(renderer.takeOctets());
  }
  const templated = sends.flatMap(
    ({ email: { templateId, subject, variables }, findings: { place } }) => {
      const template = templateId === null ? undefined : templates.get(templateId);
      return typeof template === "object" ? { place, subject, variables, template } : [];
    },
  );
  note("X-Missing-Variables", missingVariables(templated, renderer));
  return rendered.length === sends.length ? rendered : undefined;
}

function renderEmail(
  { email, findings }: Unrendered,
  templates: Templates,
  renderer: Renderer,
): RenderedEmail | undefined {
  const before = findings.count;
  const template = templateIn(templates, email.templateId, findings);
  if (template === undefined) return undefined;
  const { variables: _, ...rest } = email;
  const pen = sendRendererFor(email, renderer, findings);
  const body = (name: "text" | "html"): string | null =>
    template ? renderTemplateBody(name, template, pen) : renderBody(name, email[name], pen);
  const words = {
    subject: renderSubject(email.subject, template, pen),
    text: body("text"),
    html: body("html"),
  };
  const headers = pen.variables
    ? email.headers.map(([name, value]) => [name, renderHeader(name, value, pen)] as const)
    : email.headers;
  return findings.count > before
    ? undefined
    : { ...rest, ...words, headers, linkMark: pen.linkMark };
}
