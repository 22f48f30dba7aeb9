// Checks docs/tracking.md: the page describes each kind of link as src/mail/compose/track.ts treats
// it, and its numbers are the current limits.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TRACKED_LINKS_PER_COPY, TRACKED_URL_CHARACTERS } from "../../src/limits.ts";
import { trackHtml } from "../../src/mail/compose/track.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/tracking.md"), "utf8");
const HOST = "links.shop.example";
const LEAVE = "https://shop.example/leave";

async function trackLinks(html: string, opens = false): Promise<string> {
  const copy = {
    emailId: "email_0197e3a0-5b1f-7c2d-8e4f-112233445566",
    teamNumber: 77,
    releaseDay: 19_675,
    recipientIndex: 0,
  };
  const signingKey = "signing-key-for-tests-0123456789abcdef";
  return trackHtml(
    html,
    { opens, clicks: true, host: HOST, copy, signingKey, publicUrl: "https://post.example" },
    { targets: [LEAVE] },
  );
}

const counted = (html: string): number => html.split(`https://${HOST}/c/`).length - 1;
const link = '<a href="https://a.example/">';
const long = (characters: number): string =>
  `<a href="${"https://a.example/".padEnd(characters, "x")}">`;

it.each([
  ['<a href="https://…">', link],
  ["also `http:`", '<a href="http://a.example/">'],
  ['<area href="https://…">', '<area href="https://a.example/">'],
  ["<!--[if !mso]><!-->", `<!--[if !mso]><!-->${link}<!--<![endif]-->`],
  ["&amp;", '<a href="https://a.example/?x=1&amp;y=2">'],
  ["2,048 characters", long(TRACKED_URL_CHARACTERS)],
])("the worker counts links as the page says: %s", async (words, html) => {
  expect(page).toContain(words);
  expect(counted(await trackLinks(html))).toBe(1);
});

it.each([
  ["data-no-track", '<a href="https://a.example/" data-no-track>'],
  ["2,048 characters", long(TRACKED_URL_CHARACTERS + 1)],
  ["mailto:", '<a href="mailto:a@a.example">'],
  ["tel:", '<a href="tel:+1">'],
  ["#top", '<a href="#top">'],
  ["relative and protocol-relative", '<a href="/x"><a href="//a.example/">'],
  ["the generated one", '<a href="https://post.example/u/token">'],
  ["`List-Unsubscribe` header", `<a href="${LEAVE}">`],
  ["tracking host", `<a href="https://${HOST}/x">`],
  ["<!--[if mso]>", `<!--[if mso]>${link}<![endif]-->`],
  ["<v:roundrect href>", '<v:roundrect href="https://a.example/">'],
  ["never closed", '<a href="https://a.example/"'],
  ["<textarea>", `<textarea>${link}</textarea>`],
  ["images, forms", '<img src="https://a.example/"><form action="https://a.example/">'],
])("the worker leaves links alone as the page says: %s", async (words, html) => {
  expect(page).toContain(words);
  expect(await trackLinks(html)).toBe(html);
});

it("the worker counts the first 1,000 links of a copy", async () => {
  expect(page).toContain(`the first ${TRACKED_LINKS_PER_COPY.toLocaleString("en")} of a copy`);
  expect(counted(await trackLinks(link.repeat(TRACKED_LINKS_PER_COPY + 5)))).toBe(
    TRACKED_LINKS_PER_COPY,
  );
});

it("the worker puts the pixel where the page says", async () => {
  for (const [html, end] of [
    ["<html><body>x</body></html>", "</body></html>"],
    ["<html>x</html>", "</html>"],
    ["x", ""],
  ] as const) {
    expect(await trackLinks(html, true)).toMatch(
      new RegExp(`^(?:<html>)?(?:<body>)?x<img src="https://${HOST}/o/[^>]*>${end}$`),
    );
  }
});
