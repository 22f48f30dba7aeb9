// What tracking has to know of an HTML text: where its links stand, and where a pixel may. A text
// with a mark for each recipient's link in it is surveyed once for all of its copies, as long as
// the link can't make other tags of it. In steps, linear, pure.
import type { Steps } from "../../lib/step-scheduler.ts";
import {
  HTML_STEP_CHARACTERS,
  type HtmlAttribute,
  type HtmlToken,
  tokenizeInSteps,
} from "../../lib/html/html-tokens.ts";

/** Offsets of something in the text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface HtmlSurvey {
  /** The values of the `href` that tracking may change. */
  readonly hrefs: readonly TextSpan[];
  /** Where a pixel is shown: before the end of the body. */
  readonly end: number;
  /** Where the mark stands. */
  readonly marks: readonly number[];
  /**
   * Whether a link in the place of the mark leaves all the rest where it is: it stands in text, in
   * a comment or in an attribute's value.
   */
  readonly isFillable: boolean;
}

/**
 * What takes about as long as so many octets to write: to find a token, and to read on where there
 * is none.
 */
const OCTETS_PER_TOKEN = 16;
const OCTETS_PER_STEP = 3 * HTML_STEP_CHARACTERS;

/** `mark`: letters, digits and dashes, a letter or a digit at both ends. */
export function* surveyHtml(html: string, mark?: string): Steps<HtmlSurvey> {
  const marks = mark === undefined ? [] : placesOf(mark, html);
  const hrefs: TextSpan[] = [];
  let end: number | undefined;
  let isBodyEnd = false;
  let last: HtmlToken | undefined;
  let opened = 0;
  let passed = 0;
  let isFillable = true;
  let octets = 0;
  for (const token of tokenizeInSteps(html, { templated: false })) {
    if (!token) {
      yield OCTETS_PER_STEP;
      continue;
    }
    if (token.kind === "open") {
      opened = token.start;
      const href = hrefOf(token.name, token.attributes);
      if (href) hrefs.push({ start: href.valueStart, end: href.valueEnd });
    } else if (
      token.kind === "close" &&
      (token.name === "body" || (token.name === "html" && !isBodyEnd))
    ) {
      end = token.start;
      isBodyEnd = token.name === "body";
    }
    const met = marks.slice(passed, passed + countBefore(token.end, marks, passed));
    passed += met.length;
    isFillable &&= met.length === 0 || mark === undefined || mayHold(html, token, met, mark.length);
    last = token;
    octets += token.end - token.start + OCTETS_PER_TOKEN;
    if (octets < OCTETS_PER_STEP) continue;
    yield octets;
    octets = 0;
  }
  return { hrefs, end: end ?? endOutside(html, last, opened), marks, isFillable };
}

/** The attribute that makes a link of a tag; undefined: none does, or it is not to be tracked. */
function hrefOf(name: string, attributes: readonly HtmlAttribute[]): HtmlAttribute | undefined {
  if (
    (name !== "a" && name !== "area") ||
    attributes.some((attribute) => attribute.name === "data-no-track")
  )
    return undefined;
  return attributes.find((attribute) => attribute.name === "href");
}

function placesOf(mark: string, html: string): number[] {
  const places: number[] = [];
  for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, at + mark.length))
    places.push(at);
  return places;
}

/** How many of the marks from `first` on begin before `end`. */
function countBefore(end: number, marks: readonly number[], first: number): number {
  let next = first;
  while ((marks[next] ?? end) < end) next += 1;
  return next - first;
}

/** Whether URLs may stand for the marks in a token without a change to where the token ends. */
function mayHold(
  html: string,
  token: HtmlToken,
  marks: readonly number[],
  length: number,
): boolean {
  switch (token.kind) {
    case "text":
    case "raw":
      return true;
    case "unseen":
      // A dash at the link's end could close the comment together with what follows.
      return (
        html.startsWith("<!--", token.start) && marks.every((start) => html[start + length] !== "-")
      );
    case "open":
      return areInValues(token.attributes, marks, length);
    case "close":
    case "marker":
      return false;
  }
}

/** Attributes and marks are in the order of the document. */
function areInValues(
  attributes: readonly HtmlAttribute[],
  marks: readonly number[],
  length: number,
): boolean {
  let next = 0;
  return marks.every((start) => {
    while ((attributes[next]?.valueEnd ?? Number.POSITIVE_INFINITY) < start + length) next += 1;
    return (attributes[next]?.valueStart ?? Number.POSITIVE_INFINITY) <= start;
  });
}

/**
 * The end of the document, or where something begins that is never closed and would swallow what
 * comes after it.
 */
function endOutside(html: string, last: HtmlToken | undefined, opened: number): number {
  if (last?.kind === "raw") return opened;
  if (last?.kind === "unseen" && !isClosed(html.slice(last.start, last.end))) return last.start;
  return html.length;
}

function isClosed(unseen: string): boolean {
  if (unseen.startsWith("<!--")) return unseen.endsWith("-->") || unseen.endsWith("--!>");
  return !/^<\/?[a-z]/i.test(unseen) && unseen.endsWith(">");
}
