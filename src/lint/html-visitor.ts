// Reads HTML once for all rules, in steps (decision 0013). Each rule is a visitor of the tags, the
// visible text and the style sheets. Pure.
import type { Steps } from "../lib/step-scheduler.ts";
import {
  attributeValue,
  decodeText,
  HTML_STEP_CHARACTERS,
  type HtmlAttribute,
  type HtmlToken,
  tokenizeInSteps,
} from "../lib/html/html-tokens.ts";
import type { CheckedHtml } from "./checked-mail.ts";

export interface HtmlTag {
  /** The tag's name, in lower case. */
  readonly name: string;
  readonly start: number;
  readonly attributes: readonly HtmlAttribute[];
  /** False if the tag is in a conditional comment that Outlook on Windows skips. */
  readonly isForWord: boolean;
  /** Returns the decoded value of an attribute, with template tags unchanged. */
  readonly value: (name: string) => string | undefined;
}

/** A rule, which visits the parts of the HTML in their order. */
export interface HtmlVisitor {
  readonly open?: (tag: HtmlTag) => void;
  readonly close?: (name: string) => void;
  /** Visits a decoded text. */
  readonly text?: (text: string) => void;
  /** Visits a style sheet. `start` is the offset of its first character. */
  readonly style?: (css: string, start: number, isForWord: boolean) => void;
  /** Runs after the last token. */
  readonly end?: () => void;
}

/** The cost of a token, as the number of octets that take the same time. */
const OCTETS_PER_TOKEN = 256;
const HIDES_FROM_WORD = /^<!--\[if !mso/i;
const SHOWS_AGAIN = /^<!--<!\[endif\]|^<!\[endif\]/i;
/** Maximum length of the start of a comment, which says whether the comment is conditional. */
const CONDITION_CHARACTERS = 40;
const HIDDEN = new Set(["head", "title", "script", "style"]);

export function* visitHtml(
  { markup, isTemplate }: Pick<CheckedHtml, "markup" | "isTemplate">,
  visitors: readonly HtmlVisitor[],
): Steps<void> {
  let isForWord = true;
  let raw = "";
  let octets = 0;
  for (const token of tokenizeInSteps(markup, { templated: isTemplate })) {
    octets += token ? token.end - token.start + OCTETS_PER_TOKEN : HTML_STEP_CHARACTERS;
    if (octets > HTML_STEP_CHARACTERS) {
      yield octets;
      octets = 0;
    }
    if (!token) continue;
    if (token.kind === "unseen") isForWord = isForWordAfter(markup, token, isForWord);
    else if (token.kind === "open") {
      raw = token.name;
      const tag = tagOf(markup, token, isForWord);
      for (const { open } of visitors) open?.(tag);
    } else if (token.kind === "close") for (const { close } of visitors) close?.(token.name);
    else if (token.kind === "raw" && raw === "style") {
      const css = markup.slice(token.start, token.end);
      for (const { style } of visitors) style?.(css, token.start, isForWord);
    } else if (token.kind === "text" && !HIDDEN.has(raw)) {
      const text = decodeText(markup, token);
      for (const visitor of visitors) visitor.text?.(text);
    }
  }
  for (const { end } of visitors) end?.();
}

function tagOf(
  markup: string,
  { name, start, attributes }: Extract<HtmlToken, { kind: "open" }>,
  isForWord: boolean,
): HtmlTag {
  const value = (wanted: string) => attributeValue(markup, attributes, wanted);
  return { name, start, attributes, isForWord, value };
}

function isForWordAfter(
  markup: string,
  { start, end }: { readonly start: number; readonly end: number },
  isForWord: boolean,
): boolean {
  const comment = markup.slice(start, Math.min(end, start + CONDITION_CHARACTERS));
  if (SHOWS_AGAIN.test(comment)) return true;
  // If a comment also contains the end of its condition, all programs but Outlook skip the comment,
  // and no program skips the tags after it.
  return HIDES_FROM_WORD.test(comment) && !markup.slice(start, end).includes("<![endif]")
    ? false
    : isForWord;
}
