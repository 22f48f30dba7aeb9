// Checks a template's content when it is saved (contract.md §Drafts and publishing). Derives the
// HTML from the Markdown, and the text from the HTML (contract.md §Derived text). All parts must
// compile, so that a send can fail only because of its variables. Pure.
import { byteLength, limitText } from "./text-limit.ts";
import { compileTemplate } from "../../lib/template/compile.ts";
import { SUBJECT_CHARACTERS, TEMPLATE_HTML_BYTES, TEMPLATE_TEXT_BYTES } from "../../limits.ts";
import { type FieldErrors, refuse, refuseMember } from "../../refusal.ts";
import {
  readSendDefaults,
  type ReadSendDefaults,
  type SendDefaults,
  type SendDefaultsInput,
} from "./send-defaults.ts";
import { checkMarkdown } from "./markdown/markdown-limits.ts";
import { renderMarkdown } from "./markdown/markdown.ts";
import { htmlToText } from "./html-to-text.ts";

export type Kind = "html" | "markdown";

/** All members that are drafted and published together. */
export interface Content extends SendDefaults {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly markdown: string | null;
}

/** A template's content in a request. Undefined leaves a member unchanged. */
export interface ContentInput extends SendDefaultsInput {
  readonly subject?: string | null | undefined;
  readonly html?: string | null | undefined;
  readonly markdown?: string | null | undefined;
}

/** One reason why a part cannot be saved. Each part has at most one problem. */
export interface ContentProblem {
  readonly field: "subject" | "html" | "markdown";
  /** Line and column in the given part, from 1. Null: the problem has no position in that part. */
  readonly line: number | null;
  readonly column: number | null;
  /** A phrase that continues the field's name. */
  readonly message: string;
}

const NO_CONTENT: Content = {
  subject: null,
  html: null,
  text: null,
  markdown: null,
  from: null,
  replyTo: null,
  fallbacks: null,
};

/**
 * Returns the columns that a request changes, including derived columns. Throws `invalid` with all
 * problems.
 */
export function readChange(kind: Kind, input: ContentInput): Partial<Content> {
  const { change, problems } = readParts(kind, input);
  const defaults = readSendDefaults(input);
  const errors: FieldErrors = misplacedMember(kind, input);
  for (const { field, message } of problems) errors[field] = [message];
  throwIfAny(errors, defaults);
  return { ...change, ...defaults.change };
}

/**
 * Returns the content of a template's first draft, or undefined if the request has no content.
 * Throws `invalid` if it finds a problem.
 */
export function readFirstContent(kind: Kind, input: ContentInput): Content | undefined {
  requireMarkdown(kind, input);
  const content = { ...NO_CONTENT, ...readChange(kind, input) };
  return Object.values(content).some(isGiven) ? content : undefined;
}

/**
 * Returns the content that a template with this input would have, and the problems with it. A part
 * with a problem is null, and parts derived from it are null too. Throws only if the input does not
 * fit the kind, or if its defaults for sends are invalid.
 */
export function examineContent(
  kind: Kind,
  input: ContentInput,
): { readonly content: Content; readonly problems: readonly ContentProblem[] } {
  requireMarkdown(kind, input);
  const defaults = readSendDefaults(input);
  throwIfAny(misplacedMember(kind, input), defaults);
  const { change, problems } = readParts(kind, input);
  return { content: { ...NO_CONTENT, ...change, ...defaults.change }, problems };
}

/** Throws if the request has its own errors or errors in its defaults for sends. */
function throwIfAny(own: FieldErrors, { errors, isMalformed }: ReadSendDefaults): void {
  const all = { ...own, ...errors };
  if (Object.keys(all).length > 0)
    throw refuse(isMalformed ? "malformed" : "invalid", { errors: all });
}

function requireMarkdown(kind: Kind, { markdown }: ContentInput): void {
  if (kind === "markdown" && !isGiven(markdown))
    throw refuseMember("markdown", "is required when kind is markdown");
}

function misplacedMember(kind: Kind, input: ContentInput): FieldErrors {
  const other = kind === "html" ? "markdown" : "html";
  return isGiven(input[other])
    ? { [other]: [`is not accepted, because the template's kind is ${kind}`] }
    : {};
}

function readParts(
  kind: Kind,
  { subject, html, markdown }: ContentInput,
): { readonly change: Partial<Content>; readonly problems: ContentProblem[] } {
  const problems: ContentProblem[] = [];
  const change = {
    ...(subject === undefined ? {} : { subject: readSubject(subject, problems) }),
    ...(kind === "html" ? readHtml(html, problems) : readMarkdown(markdown, problems)),
  };
  return { change, problems };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readSubject(value: string | null, problems: ContentProblem[]): string | null {
  if (value === null) return null;
  // The subject is cleaned like a send's subject: tabs become spaces, and other control characters
  // are removed.
  const subject = value
    .toWellFormed()
    .replaceAll("\t", " ")
    .replace(/\p{Cc}+/gu, "");
  const characters = subject.length - (subject.match(/[\ud800-\udbff]/g)?.length ?? 0);
  const hasProblem =
    subject.trim() === ""
      ? addProblem("subject", "must not be empty", problems)
      : characters > SUBJECT_CHARACTERS
        ? addProblem("subject", `is longer than ${SUBJECT_CHARACTERS} characters`, problems)
        : addSourceProblem("subject", subject, problems);
  return hasProblem ? null : subject;
}

function readHtml(value: string | null | undefined, problems: ContentProblem[]): Partial<Content> {
  if (value === undefined) return {};
  if (value === null) return { html: null, text: null };
  const html = clean(value);
  if (addSizeProblem("html", html, problems) || addSourceProblem("html", html, problems)) return {};
  return { html, text: deriveText("html", html, problems) };
}

function readMarkdown(
  value: string | null | undefined,
  problems: ContentProblem[],
): Partial<Content> {
  if (value === undefined) return {};
  if (value === null) return { html: null, text: null, markdown: null };
  const markdown = clean(value);
  if (
    addSizeProblem("markdown", markdown, problems) ||
    addProblem("markdown", checkMarkdown(markdown), problems) ||
    addSourceProblem("markdown", markdown, problems)
  )
    return {};
  const rendered = renderMarkdown(markdown);
  if (rendered.kind === "problem") {
    addProblem("markdown", rendered.problem, problems);
    return {};
  }
  const { html } = rendered;
  if (addDerivedProblem("markdown", "makes HTML that ", html, problems)) return {};
  return { html, text: deriveText("markdown", html, problems), markdown };
}

/** Derives the plain text from the HTML. If it is not valid, adds a problem and returns null. */
function deriveText(
  field: "html" | "markdown",
  html: string,
  problems: ContentProblem[],
): string | null {
  const text = limitText(htmlToText(html), TEMPLATE_TEXT_BYTES);
  return addDerivedProblem(field, "has a plain-text form that ", text, problems) ? null : text;
}

/** Replaces characters that JSON allows but UTF-8 or HTML does not, as a browser does. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** Adds a problem if the part is too large. Returns whether it added a problem. */
function addSizeProblem(
  field: "html" | "markdown",
  source: string,
  problems: ContentProblem[],
): boolean {
  const isTooLong = source.length > TEMPLATE_HTML_BYTES || byteLength(source) > TEMPLATE_HTML_BYTES;
  const problem = isTooLong ? `is longer than ${TEMPLATE_HTML_BYTES} bytes` : undefined;
  return addProblem(field, problem, problems);
}

function addSourceProblem(
  field: ContentProblem["field"],
  source: string,
  problems: ContentProblem[],
): boolean {
  const compiled = compileTemplate(source);
  if (compiled.kind !== "error") return false;
  const { message, line, column } = compiled;
  problems.push({ field, line, column, message });
  return true;
}

/**
 * Adds a problem with a derived part. The line and column are positions in the derived part, so
 * they appear only in the problem's text.
 */
function addDerivedProblem(
  field: ContentProblem["field"],
  of: string,
  derived: string,
  problems: ContentProblem[],
): boolean {
  const compiled = compileTemplate(derived);
  return addProblem(field, compiled.kind === "error" ? of + compiled.message : undefined, problems);
}

function addProblem(
  field: ContentProblem["field"],
  message: string | undefined,
  problems: ContentProblem[],
): boolean {
  if (message === undefined) return false;
  problems.push({ field, line: null, column: null, message });
  return true;
}
