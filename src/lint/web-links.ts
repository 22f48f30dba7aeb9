// Lists the web links of a mail's HTML, for a program that follows them. Works in steps. Pure.
import type { Steps } from "../lib/step-scheduler.ts";
import type { CheckedHtml } from "./checked-mail.ts";
import { visitHtml } from "./html-visitor.ts";
import type { MailPosition } from "./mail-problem.ts";
import { SourcePositions } from "./tag-marks.ts";

export interface WebLink {
  readonly url: string;
  readonly where: MailPosition;
}

const WEB = /^https?:\/\//i;

/** Yields each URL once, at its first position. Leaves out links with template tags. */
export function* webLinks(html: CheckedHtml): Steps<WebLink[]> {
  const offsets = new Map<string, number>();
  yield* visitHtml(html, [
    {
      open: (tag) => {
        if (tag.name !== "a" && tag.name !== "area") return;
        const url = tag.value("href")?.trim() ?? "";
        if (WEB.test(url) && !url.includes("{{") && !offsets.has(url)) offsets.set(url, tag.start);
      },
    },
  ]);
  const places = new SourcePositions(html);
  return Array.from(offsets, ([url, offset]) => ({
    url,
    where: places.find({ offset, words: url }),
  }));
}
