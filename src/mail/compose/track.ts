// Adds opens and clicks to one recipient's HTML (docs/tracking.md): web links lead by way of the tracking host, and a pixel stands at the end. Only
// the values of those attributes change, everything else keeps its characters. Pure.
import { attributeValue, type HtmlAttribute, type HtmlToken, tokenizeHtml } from "../../lib/html-tokens.ts";
import { endTurnAfter } from "../../lib/end-turn.ts";
import { TRACKED_LINKS_PER_COPY, TRACKED_URL_CHARACTERS } from "../../limits.ts";
import { type CopyRef, trackingUrl } from "../tracking-link.ts";
import { isUnsubscribeUrl } from "../unsubscribe-link.ts";

export interface CopyTracking {
  readonly opens: boolean;
  readonly clicks: boolean;
  /** The tracking host, verified, lower case. */
  readonly host: string;
  readonly copy: CopyRef;
  readonly signingKey: string;
  /** The setting of that name: links below it that unsubscribe are left alone. */
  readonly publicUrl: string;
}

/** A link's target, and where its attribute's value stands. */
interface Link {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

type IsLeft = (url: string, written: string) => boolean;

/** A link takes about as long to sign as so many octets to write. */
const OCTETS_PER_LINK = 4_096;

const ASCII = /^[\0-\x7f]*$/;
const WEB = /^[\0- ]*https?:/i;
/** What leads to the same place in a Location header as in a link; anything else goes there as the URL parser spells it. */
const PLAIN = /^https?:\/\/[A-Za-z0-9[][!-[\]-~]*$/i;

export interface LeftAlone {
  /** Targets, spelled as in the HTML but for character references. */
  readonly targets: readonly string[];
  /** True: also those that are not ASCII, since nobody knows what their octets stand for. */
  readonly beyondAscii?: boolean;
}

export async function trackHtml(html: string, tracking: CopyTracking, left: LeftAlone): Promise<string> {
  const { opens, clicks, host, copy, signingKey, publicUrl } = tracking;
  if (!opens && !clicks) return html;
  const known = new Set(left.targets);
  const isLeft = (url: string, written: string) =>
    known.has(url) ||
    isUnsubscribeUrl(publicUrl, url) ||
    url.startsWith(`https://${host}/`) ||
    (left.beyondAscii === true && !ASCII.test(written));
  const { links, end } = survey(html, isLeft);
  const followed = clicks ? links.slice(0, TRACKED_LINKS_PER_COPY) : [];
  const targets = [...new Set(followed.map(({ url }) => url))];
  await endTurnAfter(html.length);
  const urls = new Map<string, string>();
  for (const url of targets) {
    urls.set(url, await trackingUrl(signingKey, host, "c", { ...copy, url }));
    await endTurnAfter(OCTETS_PER_LINK);
  }
  const edits = followed.map(({ start, end: stop, url }) => ({ start, end: stop, text: urls.get(url) ?? url }));
  if (opens) edits.push({ start: end, end, text: pixel(await trackingUrl(signingKey, host, "o", { ...copy, url: "" })) });
  return spliced(html, edits);
}

/** The links to track, and where a pixel may stand so that it is shown: before the end of the body. */
function survey(html: string, isLeft: IsLeft): { links: Link[]; end: number } {
  const links: Link[] = [];
  let end: number | undefined;
  let isBodyEnd = false;
  let last: HtmlToken | undefined;
  let opened = 0;
  for (const token of tokenizeHtml(html, { templated: false })) {
    if (token.kind === "open") {
      opened = token.start;
      const link = trackableLink(html, token.name, token.attributes, isLeft);
      if (link) links.push(link);
    } else if (token.kind === "close" && (token.name === "body" || (token.name === "html" && !isBodyEnd))) {
      end = token.start;
      isBodyEnd = token.name === "body";
    }
    last = token;
  }
  return { links, end: end ?? endOutside(html, last, opened) };
}

/** The web link that an opening tag makes, if it is one to track. */
export function trackableLink(html: string, name: string, attributes: readonly HtmlAttribute[], isLeft: IsLeft): Link | undefined {
  if ((name !== "a" && name !== "area") || attributes.some((attribute) => attribute.name === "data-no-track")) return undefined;
  const href = attributes.find((attribute) => attribute.name === "href");
  if (!href) return undefined;
  const written = attributeValue(html, [href], "href") ?? "";
  const url = targetOf(written);
  return url === undefined || isLeft(url, written) ? undefined : { start: href.valueStart, end: href.valueEnd, url };
}

/** Where a link leads on the web; undefined: nowhere there, or too far. */
function targetOf(value: string): string | undefined {
  if (!WEB.test(value) || value.length > TRACKED_URL_CHARACTERS) return undefined;
  const text = value.trim();
  const parsed = URL.parse(text);
  if (!parsed || parsed.href.length > TRACKED_URL_CHARACTERS) return undefined;
  return PLAIN.test(text) ? text : parsed.href;
}

/** The end of the document, or where something begins that is never closed and would swallow what comes after it. */
function endOutside(html: string, last: HtmlToken | undefined, opened: number): number {
  if (last?.kind === "raw") return opened;
  if (last?.kind === "unseen" && !isClosed(html.slice(last.start, last.end))) return last.start;
  return html.length;
}

function isClosed(unseen: string): boolean {
  if (unseen.startsWith("<!--")) return unseen.endsWith("-->") || unseen.endsWith("--!>");
  return !/^<\/?[a-z]/i.test(unseen) && unseen.endsWith(">");
}

function pixel(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

/** The links come in the order of the document; the pixel may stand before links that follow the body. */
function spliced(html: string, edits: readonly { readonly start: number; readonly end: number; readonly text: string }[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    pieces.push(html.slice(from, start), text);
    from = end;
  }
  return pieces.join("") + html.slice(from);
}
