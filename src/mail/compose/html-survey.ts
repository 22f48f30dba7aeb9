// Examines an HTML text for tracking: finds its links and the offset for the pixel. The text is
// examined only once for all copies, unless a link that replaces its placeholder can change tags.
// Works in steps. Linear. Pure.
import type { Steps } from "../../lib/step-scheduler.ts";
import {
  HTML_STEP_CHARACTERS,
  type HtmlAttribute,
  type HtmlToken,
  tokenizeInSteps,
} from "../../lib/html/html-tokens.ts";

/** A range of the text, as character offsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface HtmlSurvey {
  /** Values of the `href` attributes that tracking may change. */
  readonly hrefs: readonly TextSpan[];
  /** The offset at which the pixel is inserted, before the end of the body. */
  readonly end: number;
  /** Offsets at which the placeholder occurs. */
  readonly marks: readonly number[];
  /**
   * True if every placeholder is in text, in a comment or in an attribute's value. A link can then
   * replace the placeholder, and the tags stay the same.
   */
  readonly isFillable: boolean;
}

/**
 * Costs of finding a token, and of a step that finds no token. A cost is the number of octets that
 * could be written in the same time.
 */
const OCTETS_PER_TOKEN = 16;
const OCTETS_PER_STEP = 3 * HTML_STEP_CHARACTERS;

/**
 * Examines the HTML. `mark` is the placeholder, which consists of letters, digits and dashes, and
 * begins and ends with a letter or digit.
 */
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
    const inToken = marks.slice(passed, passed + countBefore(token.end, marks, passed));
    passed += inToken.length;
    isFillable &&=
      inToken.length === 0 || mark === undefined || mayFill(html, token, inToken, mark.length);
    last = token;
    octets += token.end - token.start + OCTETS_PER_TOKEN;
    if (octets < OCTETS_PER_STEP) continue;
    yield octets;
    octets = 0;
  }
  return { hrefs, end: end ?? endOutside(html, last, opened), marks, isFillable };
}

/**
 * Returns the attribute that makes a tag a link. Undefined means that the tag is not a link, or
 * must not be tracked.
 */
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

/** Counts the placeholders before the offset `end`, from the index `first` on. */
function countBefore(end: number, marks: readonly number[], first: number): number {
  let next = first;
  while ((marks[next] ?? end) < end) next += 1;
  return next - first;
}

/** Returns whether a token ends at the same character after URLs replace the placeholders in it. */
function mayFill(
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
      // A comment ends at `-->`. If a dash follows the placeholder, a link that ends in a dash
      // could end the comment too early.
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

/**
 * Returns whether every placeholder is inside an attribute's value. The attributes and the
 * placeholders (`marks`) are in document order.
 */
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
 * Returns the start of an element or comment that is never closed. If all are closed, returns the
 * end of the document.
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
