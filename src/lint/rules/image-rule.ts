// Finds pictures that readers may not see, and pictures that replace the mail's text. Pure.
import type { CheckedMail, AddProblem } from "../checked-mail.ts";
import type { HtmlTag, HtmlVisitor } from "../html-visitor.ts";
import { shortUrl } from "../link-hosts.ts";

/** A mail with a large picture and fewer visible characters than this is mostly pictures. */
const FEW_CHARACTERS = 100;
const LARGE_PX = 300;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Matches a background that is loaded by http: the value of the attribute `background`, or a URL in
 * a style.
 */
const HTTP_GROUND = /^http:|url\(\s{0,9}["']?http:/i;

const ALT_HELP =
  'Add `alt` with what the picture says, or `alt=""` if it only decorates: readers with pictures ' +
  "off or with a screen reader get nothing else (WCAG 2.2 §1.1.1).";
const HTTP_HELP =
  "Use https: mail programs that run in a web page do not load pictures by http " +
  "(https://developer.mozilla.org/docs/Web/Security/Mixed_content).";
const DATA_HELP =
  "Attach the picture with a `content_id`, or host it: Gmail and Outlook drop `data:` pictures " +
  "(https://www.caniemail.com/features/image-base64/).";
const HOST_HELP =
  "Write the whole URL, with https and a host: in a mail, a relative URL leads nowhere.";
const MOSTLY_HELP =
  "Write the words as text: readers whose program blocks pictures see an empty mail, and spam " +
  "filters detect such mail (SpamAssassin: HTML_IMAGE_ONLY_04 to 32).";

export function beginImages(mail: CheckedMail, report: AddProblem): HtmlVisitor {
  const inlineIds = new Set(mail.attachments.map(({ contentId }) => contentId));
  let characters = 0;
  let large: HtmlTag | undefined;
  const warn = (tag: HtmlTag, message: string, help: string): void => {
    const at = { offset: tag.start, words: tag.value("src") };
    report({ severity: "warning", at, message, help });
  };
  return {
    text: (text) => {
      characters += text.replace(/\s+/g, "").length;
    },
    open: (tag) => {
      const ground = `${tag.value("background") ?? ""} ${tag.value("style") ?? ""}`;
      if (HTTP_GROUND.test(ground)) warn(tag, "A background is loaded by http.", HTTP_HELP);
      if (tag.name !== "img") return;
      if (isLarge(tag)) large ??= tag;
      const src = tag.value("src")?.trim() ?? "";
      if (tag.value("alt") === undefined && !isUnseen(tag))
        warn(tag, `The picture ${shortUrl(src)} has no \`alt\`.`, ALT_HELP);
      if (src.includes("{{")) return;
      const scheme = SCHEME.exec(src)?.[0].toLowerCase();
      if (scheme === "http:")
        warn(tag, `The picture ${shortUrl(src)} is loaded by http.`, HTTP_HELP);
      else if (scheme === "data:") warn(tag, "The picture is in the HTML as `data:`.", DATA_HELP);
      else if (src.startsWith("//"))
        warn(tag, `The picture ${shortUrl(src)} has no scheme.`, HOST_HELP);
      else if (scheme === undefined)
        warn(
          tag,
          src === "" ? "The picture has no `src`." : `The picture ${shortUrl(src)} has no host.`,
          HOST_HELP,
        );
      else if (scheme === "cid:" && !inlineIds.has(decodeId(src.slice(4))))
        warn(
          tag,
          `The picture ${shortUrl(src)} is not among the attachments.`,
          "Give an attachment this `content_id` (RFC 2392).",
        );
    },
    end: () => {
      if (large && characters < FEW_CHARACTERS)
        warn(
          large,
          `The mail is mostly pictures: it has ${characters} visible characters.`,
          MOSTLY_HELP,
        );
    },
  };
}

/**
 * Tells whether a picture is large. A picture without a width may have any size, so it counts as
 * large.
 */
function isLarge(tag: HtmlTag): boolean {
  const width = tag.value("width");
  return width === undefined
    ? !/width\s*:\s*\d{1,2}px/i.test(tag.value("style") ?? "") && tag.value("height") === undefined
    : width.endsWith("%") || Number.parseInt(width, 10) >= LARGE_PX;
}

/** Tells whether a picture is a tracking pixel, or is hidden from screen readers. */
function isUnseen(tag: HtmlTag): boolean {
  return (
    /^[01](?:px)?$/.test(tag.value("width") ?? "") ||
    /^[01](?:px)?$/.test(tag.value("height") ?? "") ||
    tag.value("role") === "presentation" ||
    tag.value("aria-hidden") === "true"
  );
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
