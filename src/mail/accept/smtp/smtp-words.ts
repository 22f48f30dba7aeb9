// Puts variables and a template into a submitted message (contract.md §Option headers), by the
// rules of a send over HTTP (words.ts): the fields and parts whose words change are written anew,
// and no other octet is touched.
import { Buffer } from "node:buffer";
import type { ApiRequest } from "../../../endpoint.ts";
import { coreFor } from "../../../db/client.ts";
import { runInSteps, type Steps } from "../../../lib/step-scheduler.ts";
import { customTokens, foldHeader, subjectTokens } from "../../../lib/mime/header-folding.ts";
import type { Sendable } from "../../../resources/templates/store.ts";
import type { Findings } from "../findings.ts";
import { renderedParts } from "./rendered-parts.ts";
import { Renderer } from "../renderer.ts";
import type { KeptField, ValidSubmission } from "./read-submission.ts";
import { templateMessage } from "./template-message.ts";
import {
  type SendRenderer,
  sendRendererFor,
  templateIn,
  templatesOf,
  renderHeader,
  renderSubject,
  renderTemplateBody,
} from "../words.ts";

const MARKER = "{{";

/** A submission whose words are final, but for each recipient's own link. */
export interface RenderedSubmission extends Omit<ValidSubmission, "kept" | "variables"> {
  /** What stands for the link (mail/message.ts); undefined: there is none. */
  readonly linkMark: string | undefined;
  /** The message with the header that it keeps. */
  readonly raw: Uint8Array;
}

/** Undefined when `findings` got an error. */
export async function renderSubmission(
  { env, caller }: ApiRequest,
  submission: ValidSubmission,
  body: Uint8Array,
  findings: Findings,
): Promise<RenderedSubmission | undefined> {
  const templates = await templatesOf(coreFor(env, caller.team.id), [submission.templateId]);
  const template = templateIn(templates, submission.templateId, findings);
  return template === undefined
    ? undefined
    : runInSteps(withWords(submission, template, body, findings));
}

/** The same with the template in hand; null: the message names none. */
export function* withWords(
  submission: ValidSubmission,
  template: Sendable | null,
  body: Uint8Array,
  findings: Findings,
): Steps<RenderedSubmission | undefined> {
  const before = findings.count;
  const { variables: _, kept, ...rest } = submission;
  const pen = sendRendererFor(submission, new Renderer(), findings);
  if (!template && !pen.variables)
    return { ...rest, linkMark: undefined, raw: messageOf(kept, body) };
  const subject = subjectOf(submission, template, pen);
  const headers = submission.headers.map(
    ([name, value]) =>
      [name, isMarked(value, pen) ? renderHeader(name, value, pen) : value] as const,
  );
  const fields = rewritten(submission, subject, headers);
  const own = messageOf(fields, body);
  const written = template && {
    text: renderTemplateBody("text", template, pen),
    html: renderTemplateBody("html", template, pen),
  };
  yield pen.renderer.takeOctets();
  const raw = written ? templateMessage(fields, own, written) : yield* renderedParts(own, pen);
  return findings.count > before
    ? undefined
    : { ...rest, subject, headers, linkMark: pen.linkMark, raw };
}

/** A message may have none; with a template it needs one, as over HTTP. */
function subjectOf(
  { subject }: ValidSubmission,
  template: Sendable | null,
  pen: SendRenderer,
): string {
  if (subject.trim() === "" ? !template : !isMarked(subject, pen)) return subject;
  return renderSubject(subject.trim() === "" ? null : subject, template, pen);
}

/**
 * Whether there is something to render: only what is rendered is measured against the limits of a
 * send.
 */
function isMarked(text: string, { variables }: SendRenderer): boolean {
  return variables !== null && text.includes(MARKER);
}

/**
 * The kept fields with their final words; what did not change keeps its octets. `headers`: of the
 * custom ones, in order.
 */
function rewritten(
  submission: ValidSubmission,
  subject: string,
  headers: ValidSubmission["headers"],
): KeptField[] {
  const subjectField = {
    lowerName: "subject",
    isCustom: false,
    text: `Subject: ${foldHeader("Subject", subjectTokens(subject))}`,
  };
  let custom = 0;
  const fields = submission.kept.map((field): KeptField => {
    if (field.lowerName === "subject") return subject === submission.subject ? field : subjectField;
    if (!field.isCustom) return field;
    const [name, value] = headers[custom] ?? ["", ""];
    const isSame = value === submission.headers[custom]?.[1];
    custom += 1;
    return isSame
      ? field
      : { ...field, text: `${name}: ${foldHeader(name, customTokens(name, value))}` };
  });
  return subject === "" || fields.some(({ lowerName }) => lowerName === "subject")
    ? fields
    : [...fields, subjectField];
}

function messageOf(fields: readonly KeptField[], body: Uint8Array): Uint8Array {
  const header = fields.map(({ text }) => `${text}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}
