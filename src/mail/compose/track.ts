// Adds opens and clicks to one recipient's HTML (docs/tracking.md): web links lead by way of the
// tracking host, and a pixel stands at the end. Only the values of those attributes change,
// everything else keeps its characters. Pure.
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
  /** The tracking host, verified, lower case. */
  readonly host: string;
  readonly copy: RecipientRef;
  readonly signingKey: string;
  /** The setting of that name: links below it that unsubscribe are left alone. */
  readonly publicUrl: string;
}

/** What stands for the recipient's link in the HTML (mail/message.ts), and the link, escaped. */
export interface HtmlFill {
  readonly mark: string;
  readonly link: string;
}

/** A link's target, and where its attribute's value stands. */
interface Link extends TextSpan {
  readonly url: string;
}

interface TextEdit extends TextSpan {
  readonly text: string;
}

type IsLeft = (url: string, written: string) => boolean;

/** A link takes about as long to sign as so many octets to write, and to judge. */
const OCTETS_PER_LINK = 4_096;
const OCTETS_PER_HREF = 128;
/** However a target is written, in character references: a longer value is no link to track. */
const WRITTEN_URL_CHARACTERS = 64 * TRACKED_URL_CHARACTERS;

const ASCII = /^[\0-\x7f]*$/;
const WEB = /^[\0- ]*https?:/i;
/**
 * What leads to the same place in a Location header as in a link; anything else goes there as the
 * URL parser spells it.
 */
const PLAIN = /^https?:\/\/[A-Za-z0-9[][!-[\]-~]*$/i;

export interface LeftAlone {
  /** Targets, spelled as in the HTML but for character references. */
  readonly targets: readonly string[];
  /** True: also those that are not ASCII, since nobody knows what their octets stand for. */
  readonly beyondAscii?: boolean;
}

export async function trackHtml(
  html: string,
  tracking: CopyTracking,
  left: LeftAlone,
): Promise<string> {
  if (!tracking.opens && !tracking.clicks) return html;
  return trackSurveyed(html, await runInSteps(surveyHtml(html)), null, tracking, left);
}

/**
 * The same of HTML that was surveyed with its mark, which is filled in. The survey says that it is
 * fillable.
 */
export async function trackSurveyed(
  html: string,
  survey: HtmlSurvey,
  fill: HtmlFill | null,
  tracking: CopyTracking,
  left: LeftAlone,
): Promise<string> {
  const { opens, clicks, host, copy, signingKey, publicUrl } = tracking;
  const known = new Set(left.targets);
  const isLeft = (url: string, written: string) =>
    known.has(url) ||
    isUnsubscribeUrl(publicUrl, url) ||
    url.startsWith(`https://${host}/`) ||
    (left.beyondAscii === true && !ASCII.test(written));
  const links = clicks ? await runInSteps(chooseLinks(html, survey.hrefs, fill, isLeft)) : [];
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
  return spliced(html, fill ? [...edits, ...fillings(survey.marks, fill, links)] : edits);
}

/** The links to track. */
function* chooseLinks(
  html: string,
  hrefs: readonly TextSpan[],
  fill: HtmlFill | null,
  isLeft: IsLeft,
): Steps<Link[]> {
  const links: Link[] = [];
  for (const { start, end } of hrefs) {
    if (links.length === TRACKED_LINKS_PER_COPY) break;
    const written = html.slice(start, end);
    const url = trackableUrl(
      fill ? written.replaceAll(fill.mark, () => fill.link) : written,
      isLeft,
    );
    if (url !== undefined) links.push({ start, end, url });
    yield OCTETS_PER_HREF;
  }
  return links;
}

/**
 * The recipient's link wherever its mark stands outside of what is tracked. Both are in the order
 * of the document.
 */
function fillings(
  marks: readonly number[],
  { mark, link }: HtmlFill,
  links: readonly Link[],
): TextEdit[] {
  let next = 0;
  return marks.flatMap((start) => {
    while (next < links.length && (links[next]?.end ?? 0) <= start) next += 1;
    const isTracked = (links[next]?.start ?? Number.POSITIVE_INFINITY) <= start;
    return isTracked ? [] : [{ start, end: start + mark.length, text: link }];
  });
}

/** Where the value of an `href` leads, if that is to be tracked. */
export function trackableUrl(value: string, isLeft: IsLeft): string | undefined {
  if (value.length > WRITTEN_URL_CHARACTERS) return undefined;
  const written = decodeAttribute(value);
  const url = targetOf(written);
  return url === undefined || isLeft(url, written) ? undefined : url;
}

/** Where a link leads on the web; undefined: nowhere there, or too far. */
function targetOf(value: string): string | undefined {
  if (!WEB.test(value) || value.length > TRACKED_URL_CHARACTERS) return undefined;
  const text = value.trim();
  const parsed = URL.parse(text);
  if (!parsed || parsed.href.length > TRACKED_URL_CHARACTERS) return undefined;
  return PLAIN.test(text) ? text : parsed.href;
}

function pixel(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

/**
 * The links come in the order of the document; the pixel may stand before links that follow the
 * body.
 */
function spliced(html: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    pieces.push(html.slice(from, start), text);
    from = end;
  }
  return pieces.join("") + html.slice(from);
}
