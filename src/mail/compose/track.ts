// Adds open and click tracking to one recipient's HTML (docs/tracking.md): web links lead through
// the tracking host, and a pixel is added at the end. In the tags of these links, only the value of
// `href` changes. Pure.
import { decodeAttribute } from "../../lib/html/html-tokens.ts";
import { yieldAfter, runInSteps, type Steps } from "../../lib/step-scheduler.ts";
import { TRACKED_LINKS_PER_COPY, TRACKED_URL_CHARACTERS } from "../../limits.ts";
import type { RecipientRef } from "../recipient-ref.ts";
import { trackingUrl } from "../tracking-link.ts";
import { isUnsubscribeUrl } from "../unsubscribe-link.ts";
import { type HtmlSurvey, type TextSpan, surveyHtml } from "./html-survey.ts";

export interface CopyTracking {
  readonly opens: boolean;
  readonly clicks: boolean;
  /** The verified tracking host, in lower case. */
  readonly host: string;
  readonly copy: RecipientRef;
  readonly signingKey: string;
  /** The setting PUBLIC_URL. Unsubscribe links below it are not tracked. */
  readonly publicUrl: string;
}

/**
 * The placeholder for the recipient's link (mail/message.ts), and the link itself, which is escaped
 * if the text is HTML.
 */
export interface LinkFill {
  readonly mark: string;
  readonly link: string;
}

/** A link: its target, and the range of its `href` value in the HTML. */
interface Link extends TextSpan {
  readonly url: string;
}

interface TextEdit extends TextSpan {
  readonly text: string;
}

type IsUntracked = (url: string, written: string) => boolean;

/**
 * Costs of signing a link, and of examining a link. A cost is the number of octets that could be
 * written in the same time.
 */
const OCTETS_PER_LINK = 4_096;
const OCTETS_PER_HREF = 128;
/**
 * Maximum length of an `href` value. A longer value is not tracked, even if its character
 * references decode to a short URL.
 */
const WRITTEN_URL_CHARACTERS = 64 * TRACKED_URL_CHARACTERS;

const ASCII = /^[\0-\x7f]*$/;
const WEB = /^[\0- ]*https?:/i;
/**
 * Matches URLs that have the same meaning in a Location header as in a link. These URLs stay as
 * written. The URL parser rewrites all other URLs.
 */
const PLAIN = /^https?:\/\/[A-Za-z0-9[][!-[\]-~]*$/i;

/** Links that tracking must not change. */
export interface UntrackedLinks {
  /** Targets of links, as in the HTML after its character references are decoded. */
  readonly targets: readonly string[];
  /**
   * True if targets with non-ASCII octets are not tracked, because the charset of these octets is
   * unknown.
   */
  readonly beyondAscii?: boolean;
}

export async function trackHtml(
  html: string,
  tracking: CopyTracking,
  untracked: UntrackedLinks,
): Promise<string> {
  if (!tracking.opens && !tracking.clicks) return html;
  return trackSurveyed(html, await runInSteps(surveyHtml(html)), null, tracking, untracked);
}

/**
 * Tracks HTML that was surveyed with its placeholder, and replaces the placeholder by the
 * recipient's link. The survey's `isFillable` must be true.
 */
export async function trackSurveyed(
  html: string,
  survey: HtmlSurvey,
  fill: LinkFill | null,
  tracking: CopyTracking,
  untracked: UntrackedLinks,
): Promise<string> {
  const { opens, clicks, host, copy, signingKey, publicUrl } = tracking;
  const known = new Set(untracked.targets);
  const isUntracked = (url: string, written: string) =>
    known.has(url) ||
    isUnsubscribeUrl(publicUrl, url) ||
    url.startsWith(`https://${host}/`) ||
    (untracked.beyondAscii === true && !ASCII.test(written));
  const links = clicks ? await runInSteps(chooseLinks(html, survey.hrefs, fill, isUntracked)) : [];
  const urls = new Map<string, string>();
  for (const url of new Set(links.map((link) => link.url))) {
    urls.set(url, await trackingUrl(signingKey, host, "c", { ...copy, url }));
    await yieldAfter(OCTETS_PER_LINK);
  }
  const edits: TextEdit[] = links.map(({ start, end, url }) => ({
    start,
    end,
    text: urls.get(url) ?? url,
  }));
  if (opens)
    edits.push({
      start: survey.end,
      end: survey.end,
      text: pixel(await trackingUrl(signingKey, host, "o", { ...copy, url: "" })),
    });
  return applyEdits(html, fill ? [...edits, ...fillEdits(survey.marks, fill, links)] : edits);
}

function* chooseLinks(
  html: string,
  hrefs: readonly TextSpan[],
  fill: LinkFill | null,
  isUntracked: IsUntracked,
): Steps<Link[]> {
  const links: Link[] = [];
  for (const { start, end } of hrefs) {
    if (links.length === TRACKED_LINKS_PER_COPY) break;
    const written = html.slice(start, end);
    const url = trackableUrl(
      fill ? written.replaceAll(fill.mark, () => fill.link) : written,
      isUntracked,
    );
    if (url !== undefined) links.push({ start, end, url });
    yield OCTETS_PER_HREF;
  }
  return links;
}

/**
 * Returns the edits that replace each placeholder outside the tracked links by the recipient's
 * link. `marks` and `links` are in document order.
 */
function fillEdits(
  marks: readonly number[],
  { mark, link }: LinkFill,
  links: readonly Link[],
): TextEdit[] {
  let next = 0;
  return marks.flatMap((start) => {
    while (next < links.length && (links[next]?.end ?? 0) <= start) next += 1;
    const isTracked = (links[next]?.start ?? Number.POSITIVE_INFINITY) <= start;
    return isTracked ? [] : [{ start, end: start + mark.length, text: link }];
  });
}

/** Returns the target of an `href`. Undefined means that the link must not be tracked. */
export function trackableUrl(value: string, isUntracked: IsUntracked): string | undefined {
  if (value.length > WRITTEN_URL_CHARACTERS) return undefined;
  const written = decodeAttribute(value);
  const url = targetOf(written);
  return url === undefined || isUntracked(url, written) ? undefined : url;
}

/**
 * Returns the web URL of a link. Undefined means that the link is not a web link, or is too long.
 */
function targetOf(value: string): string | undefined {
  if (!WEB.test(value) || value.length > TRACKED_URL_CHARACTERS) return undefined;
  const text = value.trim();
  const parsed = URL.parse(text);
  if (!parsed || parsed.href.length > TRACKED_URL_CHARACTERS) return undefined;
  return PLAIN.test(text) ? text : parsed.href;
}

function pixel(url: string): string {
  const style = "display:block;width:1px;height:1px;border:0";
  return `<img src="${url}" width="1" height="1" alt="" style="${style}">`;
}

/** Applies edits in document order. Edits at the same offset keep their order in `edits`. */
function applyEdits(html: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(html.slice(from, start), text);
    from = end;
  }
  return pieces.join("") + html.slice(from);
}
