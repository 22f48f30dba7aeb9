// Renders variables and a template into a submitted message (contract.md §Option headers), by the
// same rules as a send over HTTP (render/render-send.ts). Fields and parts whose text changes are
// rewritten; all other octets stay.
import { Buffer } from "node:buffer";
import { coreFor } from "../../../db/client.ts";
import { runInSteps, type Steps } from "../../../lib/step-scheduler.ts";
import { customTokens, foldHeader, subjectTokens } from "../../../lib/mime/header-folding.ts";
import type { Sendable } from "../../../resources/templates/sendable.ts";
import type { Findings } from "../findings.ts";
import type { SendContext } from "../send-context.ts";
import { renderParts } from "./render-parts.ts";
import { RequestRenderer } from "../render/request-renderer.ts";
import { chooseReplyTo } from "../render/template-senders.ts";
import { writeAddresses } from "./outgoing-field.ts";
import type { ForwardedField, ValidSubmission } from "./validate-submission.ts";
import { applyTemplate } from "./template-message.ts";
import {
  type SendRenderer,
  sendRendererFor,
  requireTemplate,
  findTemplates,
  renderHeader,
  renderSubject,
  renderTemplateBody,
} from "../render/render-send.ts";

const MARKER = "{{";

/** A submission whose text is final, except for each recipient's own link. */
export interface RenderedSubmission extends Omit<
  ValidSubmission,
  "kept" | "template" | "variables"
> {
  /** The template's id, even if the message named an alias. */
  readonly templateId: string | null;
  /** The placeholder for the link (mail/message.ts); undefined without a link. */
  readonly linkPlaceholder: string | undefined;
  /** The whole message, with the fields that it keeps. */
  readonly raw: Uint8Array;
}

/** Looks up the template, then renders; undefined when `findings` got an error. */
export async function renderSubmission(
  { env, sender }: SendContext,
  submission: ValidSubmission,
  body: Uint8Array,
  findings: Findings,
): Promise<RenderedSubmission | undefined> {
  const templates = await findTemplates(coreFor(env, sender.team.id), [submission.template]);
  const template = requireTemplate(templates, submission.template, findings);
  return template === undefined
    ? undefined
    : runInSteps(renderWithTemplate(submission, template, body, findings));
}

/** Renders with a template that was looked up; null when the message names none. */
export function* renderWithTemplate(
  submission: ValidSubmission,
  template: Sendable | null,
  body: Uint8Array,
  findings: Findings,
): Steps<RenderedSubmission | undefined> {
  const before = findings.count;
  const { variables: _, template: __, kept, ...others } = submission;
  const rest = { ...others, templateId: template?.id ?? null };
  const send = sendRendererFor(submission, template, new RequestRenderer(), findings);
  if (!template && !send.variables)
    return { ...rest, linkPlaceholder: undefined, raw: joinMessage(kept, body) };
  const subject = renderSubmissionSubject(submission, template, send);
  const headers = submission.headers.map(
    ([name, value]) =>
      [name, hasMarker(value, send) ? renderHeader(name, value, send) : value] as const,
  );
  const replyTo = ownReplyTo(submission) ?? chooseReplyTo(null, template, findings);
  const fields = rewriteFields(submission, { subject, headers, replyTo });
  const own = joinMessage(fields, body);
  const written = template && {
    text: renderTemplateBody("text", template, send),
    html: renderTemplateBody("html", template, send),
  };
  yield send.renderer.takeOctets();
  const raw = written ? applyTemplate(fields, own, written) : yield* renderParts(own, send);
  return findings.count > before
    ? undefined
    : { ...rest, replyTo, subject, headers, linkPlaceholder: send.linkPlaceholder, raw };
}

/** The displayed reply addresses; null for a message without the field. */
function ownReplyTo({ kept, replyTo }: ValidSubmission): ValidSubmission["replyTo"] | null {
  return kept.some(({ lowerName }) => lowerName === "reply-to") ? replyTo : null;
}

/**
 * A submitted message may lack a subject. If it uses a template, a subject is required, as over
 * HTTP.
 */
function renderSubmissionSubject(
  { subject }: ValidSubmission,
  template: Sendable | null,
  send: SendRenderer,
): string {
  if (subject.trim() === "" ? !template : !hasMarker(subject, send)) return subject;
  return renderSubject(subject.trim() === "" ? null : subject, template, send);
}

/** Tells whether a text contains a marker. Only rendered text must keep to the limits of a send. */
function hasMarker(text: string, { variables }: SendRenderer): boolean {
  return variables !== null && text.includes(MARKER);
}

/**
 * The kept fields with their rendered text. A field that did not change keeps its octets. `headers`
 * are the rendered custom headers, in order. A subject and reply addresses that the message lacks
 * are added.
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
