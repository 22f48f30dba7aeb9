// Checks a template's content and derives the rest on save (contract.md §Drafts and publishing,
// contract.md §Derived text): the text from the HTML, the HTML from the Markdown. Everything is a
// template that compiles, so that a send can only fail on its variables. Pure.
import { byteLength, limitText } from "./text-limit.ts";
import { compileTemplate } from "../../lib/template/compile.ts";
import { SUBJECT_CHARACTERS, TEMPLATE_HTML_BYTES, TEMPLATE_TEXT_BYTES } from "../../limits.ts";
import { type FieldErrors, refuse } from "../../refusal.ts";
import { markdownProblem } from "./markdown/markdown-limits.ts";
import { renderMarkdown } from "./markdown/markdown.ts";
import { htmlToText } from "./html-to-text.ts";

export type Kind = "html" | "markdown";

export interface Content {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly markdown: string | null;
}

/** What a request says of the content; undefined: nothing. */
export interface ContentWish {
  readonly subject?: string | null | undefined;
  readonly html?: string | null | undefined;
  readonly markdown?: string | null | undefined;
}

const NO_CONTENT: Content = { subject: null, html: null, text: null, markdown: null };

/**
 * The columns that a wish changes, derived ones included. Throws `invalid` with all that is wrong.
 */
export function contentChange(kind: Kind, wish: ContentWish): Partial<Content> {
  const errors: FieldErrors = {};
  const other = kind === "html" ? "markdown" : "html";
  if (isGiven(wish[other])) errors[other] = [`is not taken, since the template's kind is ${kind}`];
  const change = {
    ...(wish.subject === undefined ? {} : { subject: readSubject(wish.subject, errors) }),
    ...(kind === "html" ? readHtml(wish.html, errors) : readMarkdown(wish.markdown, errors)),
  };
  if (Object.keys(errors).length > 0) throw refuse("invalid", { errors });
  return change;
}

/**
 * The content of a template's first draft; undefined when nothing is given for one. Throws
 * `invalid`.
 */
export function firstContent(kind: Kind, wish: ContentWish): Content | undefined {
  if (kind === "markdown" && !isGiven(wish.markdown)) {
    throw refuse("invalid", { errors: { markdown: ["is required when kind is markdown"] } });
  }
  const content = { ...NO_CONTENT, ...contentChange(kind, wish) };
  return isGiven(wish.subject) || isGiven(wish.html) || isGiven(wish.markdown)
    ? content
    : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readSubject(value: string | null, errors: FieldErrors): string | null {
  if (value === null) return null;
  // As a send's: a tab is a space, other control characters go.
  const subject = value
    .toWellFormed()
    .replaceAll("\t", " ")
    .replace(/\p{Cc}+/gu, "");
  const characters = subject.length - (subject.match(/[\ud800-\udbff]/g)?.length ?? 0);
  if (subject.trim() === "") errors["subject"] = ["must not be empty"];
  else if (characters > SUBJECT_CHARACTERS)
    errors["subject"] = [`is longer than ${SUBJECT_CHARACTERS} characters`];
  else addProblem("subject", compileProblem(subject), errors);
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
  if (addProblem("html", compileProblem(html), errors)) return {};
  const text = derivedText(html);
  addProblem("html", compileProblem(text), errors, "has a plain-text form that ");
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
  if (addProblem("markdown", markdownProblem(markdown) ?? compileProblem(markdown), errors))
    return {};
  const rendered = renderMarkdown(markdown);
  if (rendered.kind === "problem") {
    errors["markdown"] = [rendered.problem];
    return {};
  }
  const { html } = rendered;
  if (addProblem("markdown", compileProblem(html), errors, "makes HTML that ")) return {};
  const text = derivedText(html);
  addProblem("markdown", compileProblem(text), errors, "has a plain-text form that ");
  return { html, text, markdown };
}

/** What JSON can say and UTF-8, or HTML, can't is replaced as a browser would. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function isTooLong(text: string): boolean {
  return text.length > TEMPLATE_HTML_BYTES || byteLength(text) > TEMPLATE_HTML_BYTES;
}

function derivedText(html: string): string {
  return limitText(htmlToText(html), TEMPLATE_TEXT_BYTES);
}

function compileProblem(source: string): string | undefined {
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
