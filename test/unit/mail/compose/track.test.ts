// Tests tracked HTML (src/mail/compose/track.ts): web links lead through the tracking host, the
// pixel is where a reader loads it, and nothing else changes.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { type CopyTracking, trackHtml } from "../../../../src/mail/compose/track.ts";
import { linesOf } from "../../fixture-rows.ts";
import { TRACKING, trackedRef } from "./fixtures.ts";

const TRACKED = /https:\/\/links\.shop\.example\/([co])\/([A-Za-z0-9_-]+)/g;
const PIXEL_TAG =
  /<img src="https:\/\/links\.shop\.example\/o\/[A-Za-z0-9_-]+" width="1" height="1" alt="" style="[^"]+">/;

const tracking = (changes: Partial<CopyTracking> = {}): CopyTracking => ({
  ...TRACKING,
  opens: false,
  ...changes,
});

/**
 * Tracks HTML and reads it back: `{url}` replaces each tracked link, `{pixel}` the pixel's whole
 * tag.
 */
async function track(
  html: string,
  changes: Partial<CopyTracking> = {},
  targets: readonly string[] = [],
): Promise<string> {
  const output = await trackHtml(html, tracking(changes), { targets });
  const shown = output.replace(PIXEL_TAG, "{pixel}");
  const pieces: string[] = [];
  let from = 0;
  for (const match of shown.matchAll(TRACKED)) {
    const ref = await trackedRef(match[2] ?? "", match[1] as "c" | "o");
    expect(ref).toMatchObject(TRACKING.copy);
    pieces.push(shown.slice(from, match.index), `{${ref?.url}}`);
    from = match.index + match[0].length;
  }
  return pieces.join("") + shown.slice(from);
}

describe("a link that is tracked", () => {
  it.each([...linesOf("links", "tracked"), '<A HREF = "{https://a.example/}"\n>x</A>'])(
    "is the one in braces, and all text around it stays: %s",
    async (expected) => {
      const html = expected.replace(/(["'=])\{(.*?)\}(["'>])/g, "$1$2$3");
      expect(html).not.toBe(expected);
      expect(await track(html)).toBe(expected);
    },
  );

  it.each([
    ["https://a.example/?x=1&amp;y=2", "https://a.example/?x=1&y=2"],
    ["https&#58;//a.example&#x2F;q", "https://a.example/q"],
    ["  https://a.example/x\n", "https://a.example/x"],
    ["https://a.exam\nple/x y", "https://a.example/x%20y"],
    ["https:\\\\a.example\\x", "https://a.example/x"],
    ["https:a.example", "https://a.example/"],
    ["https://bücher.example/ü?ü", "https://xn--bcher-kva.example/%C3%BC?%C3%BC"],
  ])("is read as a browser reads it: %j", async (written, url) => {
    expect(await track(`<a href="${written}">`)).toBe(`<a href="{${url}}">`);
  });
});

describe("a link that is not tracked", () => {
  it.each([
    ...linesOf("links", "not tracked"),
    `<a href="${TRACKING.publicUrl}/u/token">`,
    `<a href="&#104;ttps://postern.example/u/token?x">`,
    `<a href="https://${TRACKING.host}/c/token">`,
    `<a href="https://a.example/${"x".repeat(2_048)}">`,
    `<a href="https://a.example/${"ü".repeat(500)}">`,
  ])("%s", async (html) => {
    const targets = ["https://shop.example/leave"];
    expect(await trackHtml(html, tracking(), { targets })).toBe(html);
  });

  it("is a link beyond ASCII in an unknown charset", async () => {
    const html = '<a href="https://a.example/\u00e9"><a href="https://a.example/e">';
    const left = await trackHtml(html, tracking(), { targets: [], beyondAscii: true });
    expect(left).toMatch(
      /^<a href="https:\/\/a\.example\/\u00e9"><a href="https:\/\/links\.shop\.example\/c\//,
    );
  });

  it("is each link after the first thousand", async () => {
    const links = Array.from({ length: 1_001 }, (_, at) => `<a href="https://a.example/${at}">`);
    const output = await track(links.join(""));
    expect(output).toContain("{https://a.example/999}");
    expect(output.endsWith('<a href="https://a.example/1000">')).toBe(true);
  });
});

describe("the pixel", () => {
  it.each([
    ["<html><body><p>x</p></body></html>", "<html><body><p>x</p>{pixel}</body></html>"],
    ["<html><body>x</BODY ></html>", "<html><body>x{pixel}</BODY ></html>"],
    ["<p>x</p>", "<p>x</p>{pixel}"],
    ["", "{pixel}"],
    ["<html><p>x</html>\n", "<html><p>x{pixel}</html>\n"],
    ["<body>a</body>b</body>c", "<body>a</body>b{pixel}</body>c"],
    ["<body>a</body></html></html>", "<body>a{pixel}</body></html></html>"],
    ["<body>a<!-- </body> -->b", "<body>a<!-- </body> -->b{pixel}"],
    ["<body>a</body><!-- end -->", "<body>a{pixel}</body><!-- end -->"],
    ["<p>x <!-- never closed <p>", "<p>x {pixel}<!-- never closed <p>"],
    ["<p>x <b class='y>", "<p>x {pixel}<b class='y>"],
    ["<p>x</p><style>p{}", "<p>x</p>{pixel}<style>p{}"],
    ["<p>x</p><style>p{}</style>", "<p>x</p><style>p{}</style>{pixel}"],
    ["<p>x</p><plaintext></body>", "<p>x</p>{pixel}<plaintext></body>"],
    ["x <", "x <{pixel}"],
  ])("is where readers load it: %s", async (html, expected) => {
    expect(await track(html, { opens: true, clicks: false })).toBe(expected);
  });

  it("comes before links that follow the body", async () => {
    const html = '<body><a href="https://a.example/">x</a></body><a href="https://b.example/">';
    expect(await track(html, { opens: true })).toBe(
      '<body><a href="{https://a.example/}">x</a>{pixel}</body><a href="{https://b.example/}">',
    );
  });

  it("is left out, as tracked links are, if tracking is off", async () => {
    const html = '<body><a href="https://a.example/">x</a></body>';
    expect(await track(html, { opens: false, clicks: false })).toBe(html);
  });
});

describe("any HTML", () => {
  const tags =
    "</a>|<!--|-->|<!|<style>|</style>|<script>|</script>|<textarea>|</textarea>|</body>|<body>|</html>";
  const piece = fc.constantFrom(
    ...(
      '<a href="https://a.example/?b&amp;c">|<a href=https://a.example/>|' +
      "<a href='http://a.example'|data-no-track|<area href=https://b.example"
    ).split("|"),
    ...tags.split("|"),
    ..."\"|'|>|<|{{x}}|{{|&amp;|é|😀|\n| |=|/|a".split("|"),
  );

  it("keeps every character except the targets of links", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const html = pieces.join("");
        const output = await trackHtml(html, tracking({ opens: true }), { targets: [] });
        // The text around the links must stay as it was: all of it is found in the original HTML,
        // in the same order.
        const around = output
          .replace(PIXEL_TAG, "")
          .split(TRACKED)
          .filter((_, index) => index % 3 === 0);
        let at = 0;
        for (const [index, text] of around.entries()) {
          const found = html.indexOf(text, at);
          if (index === 0) expect(found, html).toBe(0);
          expect(found, html).toBeGreaterThanOrEqual(at);
          if (index > 0)
            expect(html.slice(at, found)).toMatch(
              /^(?:https:\/\/[ab]\.example|http:\/\/a\.example)/,
            );
          at = found + text.length;
        }
        expect(at).toBe(html.length);
      }),
    );
  });
});
