// Renders variables and a template into a submitted message (contract.md §Option headers), by the
// same rules as a send over HTTP (render/render-send.ts). Rewrites fields and parts whose text
// changes. All other octets stay.
import { Buffer } from "node:buffer";
import { coreFor } from "../../../db/client.ts";
import { runInSteps, type Steps } from "../../../lib/step-scheduler.ts";
import { customTokens, foldHeader, subjectTokens } from "../../../lib/mime/header-folding.ts";
import type { Sendable } from "../../../resources/templates/sendable.ts";
import type { Message } from "../../message.ts";
import type { FieldProblems } from "../field-problems.ts";
import type { SendContext } from "../send-context.ts";
import { renderParts } from "./render-parts.ts";
import { RequestRenderer } from "../render/request-renderer.ts";
import { checkReplyTracking } from "../reply-tracking.ts";
import { chooseReplyTo } from "../render/template-senders.ts";
import { writeAddresses } from "./outgoing-field.ts";
import type { ForwardedField, ValidSubmission } from "./validate-submission.ts";
import { applyTemplate } from "./template-message.ts";
import {
  type SendRenderer,
  factsWithTemplate,
  sendRendererFor,
  requireTemplate,
  findTemplates,
  renderHeader,
  renderSubject,
  renderTemplateBody,
} from "../render/render-send.ts";

const MARKER = "{{";

/** A submission whose text is final, except for each recipient's own link. */
export interface RenderedSubmission
  extends
    Omit<ValidSubmission, "kept" | "template" | "variables">,
    Pick<Message, "templateId" | "templateVersion" | "linkPlaceholder"> {
  /** The bytes of the whole message, with only the fields that stay. */
  readonly raw: Uint8Array;
}

/**
 * Looks up the template, then renders the message. Undefined means that an error was added to
 * `problems`.
 */
export async function renderSubmission(
  context: SendContext,
  submission: ValidSubmission,
  body: Uint8Array,
  problems: FieldProblems,
): Promise<RenderedSubmission | undefined> {
  const scope = coreFor(context.env, context.sender.team.id);
  const templates = await findTemplates(scope, [submission.template]);
  const template = requireTemplate(templates, submission.template, problems);
  if (template === undefined) return undefined;
  const rendered = await runInSteps(renderWithTemplate(submission, template, body, problems));
  if (rendered) await checkReplyTracking(context, rendered, problems);
  return problems.count > 0 ? undefined : rendered;
}

/**
 * Renders the message with its template, which was looked up. Null means that the message names no
 * template.
 */
export function* renderWithTemplate(
  submission: ValidSubmission,
  template: Sendable | null,
  body: Uint8Array,
  problems: FieldProblems,
): Steps<RenderedSubmission | undefined> {
  const before = problems.count;
  const { variables: _, template: __, kept: written, ...others } = submission;
  const rest = { ...others, ...factsWithTemplate(submission, template) };
  const { replyTracking } = rest;
  // If replies are tracked, each copy gets its own Reply-To (contract.md §Replies).
  const kept = replyTracking
    ? written.filter(({ lowerName }) => lowerName !== "reply-to")
    : written;
  const send = sendRendererFor(submission, template, new RequestRenderer(), problems);
  if (!template && !send.variables)
    return { ...rest, linkPlaceholder: undefined, raw: joinMessage(kept, body) };
  const subject = renderSubmissionSubject(submission, template, send);
  const headers = submission.headers.map(
    ([name, value]) =>
      [name, hasMarker(value, send) ? renderHeader(name, value, send) : value] as const,
  );
  const replyTo = ownReplyTo(submission) ?? chooseReplyTo(null, template, problems);
  const shown = replyTracking ? [] : replyTo;
  const fields = rewriteFields({ ...submission, kept }, { subject, headers, replyTo: shown });
  const own = joinMessage(fields, body);
  const bodies = template && {
    text: renderTemplateBody("text", template, send),
    html: renderTemplateBody("html", template, send),
  };
  yield send.renderer.takeOctets();
  const raw = bodies ? applyTemplate(fields, own, bodies) : yield* renderParts(own, send);
  return problems.count > before
    ? undefined
    : { ...rest, replyTo, subject, headers, linkPlaceholder: send.linkPlaceholder, raw };
}

/** Returns the reply addresses that are displayed. Null means that the message has no Reply-To. */
function ownReplyTo({ kept, replyTo }: ValidSubmission): ValidSubmission["replyTo"] | null {
  return kept.some(({ lowerName }) => lowerName === "reply-to") ? replyTo : null;
}

/**
 * Renders the subject. A submitted message may lack a subject, but with a template it needs a
 * subject, as over HTTP.
 */
function renderSubmissionSubject(
  { subject }: ValidSubmission,
  template: Sendable | null,
  send: SendRenderer,
): string {
  if (subject.trim() === "" ? !template : !hasMarker(subject, send)) return subject;
  return renderSubject(subject.trim() === "" ? null : subject, template, send);
}

/**
 * Returns whether a text is rendered: the send has variables, and the text has a variable's marker.
 * Only rendered text must respect the limits of a send.
 */
function hasMarker(text: string, { variables }: SendRenderer): boolean {
  return variables !== null && text.includes(MARKER);
}

/**
 * Returns the fields that stay, with their rendered text. A field that did not change keeps its
 * octets. `headers` are the rendered custom headers, in order. Adds a subject or reply addresses if
 * the message lacks them.
 */
function rewriteFields(
  submission: ValidSubmission,
  { subject, headers, replyTo }: Pick<ValidSubmission, "subject" | "headers" | "replyTo">,
): ForwardedField[] {
  const subjectField = {
    lowerName: "subject",
    isCustom: false,
    text: `Subject: ${foldHeader("Subject", subjectTokens(subject))}`,
  };
  let custom = 0;
  const fields = submission.kept.map((field): ForwardedField => {
    if (field.lowerName === "subject") return subject === submission.subject ? field : subjectField;
    if (!field.isCustom) return field;
    const [name, value] = headers[custom] ?? ["", ""];
    const isSame = value === submission.headers[custom]?.[1];
    custom += 1;
    return isSame
      ? field
      : { ...field, text: `${name}: ${foldHeader(name, customTokens(name, value))}` };
  });
  const lacks = (name: string): boolean => !fields.some(({ lowerName }) => lowerName === name);
  if (replyTo.length > 0 && lacks("reply-to"))
    fields.push({
      lowerName: "reply-to",
      isCustom: false,
      text: writeAddresses("Reply-To", replyTo),
    });
  if (subject !== "" && lacks("subject")) fields.push(subjectField);
  return fields;
}

function joinMessage(fields: readonly ForwardedField[], body: Uint8Array): Uint8Array {
  const header = fields.map(({ text }) => `${text}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}
