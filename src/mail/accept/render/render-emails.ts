// Renders the templates and variables of all sends of one HTTP request. Rendering happens once,
// before acceptance, and not again for each recipient. So rendering cannot fail after the 202, and
// an accepted message stays the same when its template changes.
import { coreFor } from "../../../db/client.ts";
import type { ParsedMailbox } from "../../../lib/address.ts";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import type { NameInWarning } from "../../../endpoint.ts";
import type { Mailbox, Message } from "../../message.ts";
import type { FieldProblems } from "../field-problems.ts";
import { connectPictures } from "./inline-pictures.ts";
import { findMissingVariables, type TemplatedSend } from "./missing-variables.ts";
import { checkReplyTracking } from "../reply-tracking.ts";
import { RequestRenderer } from "./request-renderer.ts";
import type { SendContext } from "../send-context.ts";
import type { ValidEmail } from "../validate-email.ts";
import { chooseReplyTo, chooseSender } from "./template-senders.ts";
import {
  factsWithTemplate,
  sendRendererFor,
  requireTemplate,
  type Templates,
  findTemplates,
  renderBody,
  renderHeader,
  renderSubject,
  renderTemplateBody,
} from "./render-send.ts";

/** A rendered send. Its text is final, except for each recipient's own link. */
export interface RenderedEmail
  extends
    Omit<ValidEmail, "from" | "replyTo" | "subject" | "template" | "variables">,
    Pick<Message, "templateId" | "templateVersion" | "linkPlaceholder"> {
  readonly from: ParsedMailbox;
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
}

interface Unrendered {
  readonly email: ValidEmail;
  /** Collects the errors of this send. */
  readonly problems: FieldProblems;
}

/**
 * Renders the sends, in order. The result for a send with an error is undefined. One response
 * header names the missing variables. Another names content ids without a URL and URLs without a
 * content id.
 */
export async function renderEmails(
  context: SendContext,
  sends: readonly Unrendered[],
): Promise<(RenderedEmail | undefined)[]> {
  const { env, sender, warn } = context;
  const named = sends
    .map(({ email: { template } }) => template)
    .filter((template) => template !== null);
  const templates: Templates =
    named.length > 0 ? await findTemplates(coreFor(env, sender.team.id), named) : new Map();
  const renderer = new RequestRenderer();
  const rendered: (RenderedEmail | undefined)[] = [];
  const unmatched: NameInWarning[] = [];
  for (const send of sends) {
    const before = send.problems.count;
    const complete = renderEmail(send, templates, renderer);
    if (complete?.replyTracking) await checkReplyTracking(context, complete, send.problems);
    const email = send.problems.count > before ? undefined : complete;
    const pictures = email && connectPictures(email, send.problems.place);
    rendered.push(email && { ...email, html: pictures?.html ?? null });
    unmatched.push(...(pictures?.unmatched ?? []));
    await yieldAfter(renderer.takeOctets());
  }
  if (unmatched.length > 0) warn("X-Unmatched-Content-Ids", unmatched);
  if (named.length > 0)
    warn("X-Missing-Variables", findMissingVariables(templatedOf(sends, templates), renderer));
  return rendered;
}

function templatedOf(sends: readonly Unrendered[], templates: Templates): TemplatedSend[] {
  return sends.flatMap(({ email, problems: { place } }) => {
    const { subject, variables } = email;
    const template = email.template === null ? undefined : templates.get(email.template);
    return typeof template === "object" ? { place, subject, variables, template } : [];
  });
}

/** Renders one send. Its caller must ignore the result if an error was added to `problems`. */
function renderEmail(
  { email, problems }: Unrendered,
  templates: Templates,
  renderer: RequestRenderer,
): RenderedEmail | undefined {
  const template = requireTemplate(templates, email.template, problems);
  if (template === undefined) return undefined;
  const from = chooseSender(email.from, template, problems);
  const replyTo = chooseReplyTo(email.replyTo, template, problems);
  const sendRenderer = sendRendererFor(email, template, renderer, problems);
  const body = (name: "text" | "html"): string | null =>
    template
      ? renderTemplateBody(name, template, sendRenderer)
      : renderBody(name, email[name], sendRenderer);
  const subject = renderSubject(email.subject, template, sendRenderer);
  const [text, html] = [body("text"), body("html")];
  const headers = sendRenderer.variables
    ? email.headers.map(([name, value]) => [name, renderHeader(name, value, sendRenderer)] as const)
    : email.headers;
  return (
    from && {
      ...email,
      from,
      replyTo,
      ...factsWithTemplate(email, template),
      subject,
      text,
      html,
      headers,
      linkPlaceholder: sendRenderer.linkPlaceholder,
    }
  );
}
