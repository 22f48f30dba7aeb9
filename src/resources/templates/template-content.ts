// Checks a template's content and derives the rest when it is saved (contract.md §Drafts and
// publishing, contract.md §Derived text): the text from the HTML, the HTML from the Markdown. All
// of it must compile, so that a send can only fail because of its variables. Pure.
import { byteLength, limitText } from "./text-limit.ts";
import { compileTemplate } from "../../lib/template/compile.ts";
import { SUBJECT_CHARACTERS, TEMPLATE_HTML_BYTES, TEMPLATE_TEXT_BYTES } from "../../limits.ts";
import { type FieldErrors, refuse } from "../../refusal.ts";
import { checkMarkdown } from "./markdown/markdown-limits.ts";
import { renderMarkdown } from "./markdown/markdown.ts";
import { htmlToText } from "./html-to-text.ts";

export type Kind = "html" | "markdown";

export interface Content {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly markdown: string | null;
}

/** Content in a request. Undefined leaves a member unchanged. */
export interface ContentInput {
  readonly subject?: string | null | undefined;
  readonly html?: string | null | undefined;
  readonly markdown?: string | null | undefined;
}

const NO_CONTENT: Content = { subject: null, html: null, text: null, markdown: null };

/**
 * Returns the columns that a request changes, including derived ones. Throws `invalid` with all
 * problems.
 */
export function readChange(kind: Kind, input: ContentInput): Partial<Content> {
  const errors: FieldErrors = {};
  const other = kind === "html" ? "markdown" : "html";
  if (isGiven(input[other]))
    errors[other] = [`is not accepted, because the template's kind is ${kind}`];
  const change = {
    ...(input.subject === undefined ? {} : { subject: readSubject(input.subject, errors) }),
    ...(kind === "html" ? readHtml(input.html, errors) : readMarkdown(input.markdown, errors)),
  };
  if (Object.keys(errors).length > 0) throw refuse("invalid", { errors });
  return change;
}

/**
 * Returns the content of a template's first draft, or undefined when the request has none. Throws
 * `invalid`.
 */
export function readFirstContent(kind: Kind, input: ContentInput): Content | undefined {
  if (kind === "markdown" && !isGiven(input.markdown)) {
    throw refuse("invalid", { errors: { markdown: ["is required when kind is markdown"] } });
  }
  const content = { ...NO_CONTENT, ...readChange(kind, input) };
  return isGiven(input.subject) || isGiven(input.html) || isGiven(input.markdown)
    ? content
    : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readSubject(value: string | null, errors: FieldErrors): string | null {
  if (value === null) return null;
  // Like a send's subject: tabs become spaces, other control characters are removed.
  const subject = value
    .toWellFormed()
    .replaceAll("\t", " ")
    .replace(/\p{Cc}+/gu, "");
  const characters = subject.length - (subject.match(/[\ud800-\udbff]/g)?.length ?? 0);
  if (subject.trim() === "") errors["subject"] = ["must not be empty"];
  else if (characters > SUBJECT_CHARACTERS)
    errors["subject"] = [`is longer than ${SUBJECT_CHARACTERS} characters`];
  else addProblem("subject", findCompileError(subject), errors);
  return subject;
}

function readHtml(value: string | null | undefined, errors: FieldErrors): Partial<Content> {
  if (value === undefined) return {};
  if (value === null) return { html: null, text: null };
  const html = clean(value);
  if (isTooLong(html)) {
    errors["html"] = [`is longer than ${TEMPLATE_HTML_BYTES} bytes`];
    return {};
  }
  if (addProblem("html", findCompileError(html), errors)) return {};
  const text = deriveText(html);
  addProblem("html", findCompileError(text), errors, "has a plain-text form that ");
  return { html, text };
}

function readMarkdown(value: string | null | undefined, errors: FieldErrors): Partial<Content> {
  if (value === undefined) return {};
  if (value === null) return { html: null, text: null, markdown: null };
  const markdown = clean(value);
  if (isTooLong(markdown)) {
    errors["markdown"] = [`is longer than ${TEMPLATE_HTML_BYTES} bytes`];
    return {};
  }
  if (addProblem("markdown", checkMarkdown(markdown) ?? findCompileError(markdown), errors))
    return {};
  const rendered = renderMarkdown(markdown);
  if (rendered.kind === "problem") {
    errors["markdown"] = [rendered.problem];
    return {};
  }
  const { html } = rendered;
  if (addProblem("markdown", findCompileError(html), errors, "makes HTML that ")) return {};
  const text = deriveText(html);
  addProblem("markdown", findCompileError(text), errors, "has a plain-text form that ");
  return { html, text, markdown };
}

/** Replaces characters that JSON allows but UTF-8 or HTML does not, like a browser. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function isTooLong(text: string): boolean {
  return text.length > TEMPLATE_HTML_BYTES || byteLength(text) > TEMPLATE_HTML_BYTES;
}

function deriveText(html: string): string {
  return limitText(htmlToText(html), TEMPLATE_TEXT_BYTES);
}

function findCompileError(source: string): string | undefined {
  const compiled = compileTemplate(source);
  return compiled.kind === "error" ? compiled.message : undefined;
}

function addProblem(
  field: string,
  problem: string | undefined,
  errors: FieldErrors,
  of = "",
): boolean {
  if (problem !== undefined) errors[field] = [of + problem];
  return problem !== undefined;
}
