// Tests the pages for recipients (src/mail/feedback/recipient-page.ts, unsubscribe-page.ts):
// everyone can read them without a script, and names in them can do no harm.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PAGE_LANGUAGES, textsFor } from "../../../../src/mail/feedback/page-texts.ts";
import {
  PAGE_HEADERS,
  renderTrackingHostPage,
  renderUnknownLinkPage,
} from "../../../../src/mail/feedback/recipient-page.ts";
import {
  renderSubscribedPage,
  renderUnsubscribedPage,
  renderUnsubscribePage,
} from "../../../../src/mail/feedback/unsubscribe-page.ts";
import { tokenizeHtml } from "../../../../src/lib/html/html-tokens.ts";

const REF = {
  teamNumber: 77,
  releaseDay: 19_675,
  emailId: "email_0197e3a0-5b1f-7c2d-8e4f-112233445566",
  recipient: "ann@example.org",
  topic: "news",
  sender: "The Daily Shop",
};
const HOSTILE = {
  ...REF,
  sender: `"><script>alert(1)</script><img src=x onerror=alert(1)> & ' \u202e`,
  recipient: `<b>"@example.org`,
};

const EN = textsFor(undefined);

const pages: [name: string, language: string, html: string][] = [
  ...PAGE_LANGUAGES.flatMap((language) => {
    const words = textsFor(language);
    return Object.entries({
      question: renderUnsubscribePage(REF, words),
      "question after a foreign form": renderUnsubscribePage(REF, words, true),
      answer: renderUnsubscribedPage(REF, words),
      "subscribed again": renderSubscribedPage(REF, words),
      "unknown link": renderUnknownLinkPage(words),
      "question with hostile names": renderUnsubscribePage(HOSTILE, words),
      "answer with hostile names": renderUnsubscribedPage(HOSTILE, words),
    }).map(([name, html]): [string, string, string] => [`${name} in ${language}`, language, html]);
  }),
  ["the tracking host's root", "en", renderTrackingHostPage("links.shop.example")],
];

const elementsOf = (html: string) =>
  [...tokenizeHtml(html, { templated: false })].filter((token) => token.kind === "open");
const textOf = (html: string) => html.replace(/<style>[^]*<\/style>/, "").replace(/<[^>]*>/g, "");

describe.each(pages)("the page: %s", (_, language, html) => {
  const elements = elementsOf(html);

  it("declares its language and has a main part, with one heading equal to its title", () => {
    expect(html.startsWith(`<!doctype html>\n<html lang="${language}">\n`)).toBe(true);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    const title = /<title>(.+)<\/title>/.exec(html)?.[1];
    expect(html.match(/<h1>(.+)<\/h1>/)?.[1]).toBe(title);
    const names = elements.map(({ name }) => name);
    expect(names.filter((name) => name === "h1" || name === "main")).toEqual(["main", "h1"]);
  });

  it("hides its decorative icon from screen readers", () => {
    expect(html.match(/<svg viewBox="0 0 24 24" aria-hidden="true">/g)).toHaveLength(1);
  });

  it("needs no script and fetches nothing", () => {
    const names = new Set(elements.map(({ name }) => name));
    for (const name of ["script", "img", "link", "iframe", "object", "a"])
      expect(names).not.toContain(name);
    for (const { attributes } of elements) {
      for (const { name } of attributes) expect(name).not.toMatch(/^on|^style$|^src$|^href$/);
    }
    expect(html).not.toMatch(/@import|url\(/);
  });

  it("has exactly the style sheet that its policy allows", () => {
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(PAGE_HEADERS["Content-Security-Policy"]).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; ` +
        "frame-ancestors 'none'",
    );
  });
});

describe("the unsubscribe page", () => {
  it("names the address, the topic and the sender", () => {
    const effect = "ann@example.org will no longer get news email from The Daily Shop.";
    for (const html of [renderUnsubscribePage(REF, EN), renderUnsubscribedPage(REF, EN)])
      expect(textOf(html)).toContain(effect);
  });

  it("announces the effect in German before the click, and states it after the click", () => {
    const words = textsFor("de");
    expect(textOf(renderUnsubscribePage(REF, words))).toContain(
      "Nach dem Abbestellen erhält ann@example.org",
    );
    expect(textOf(renderUnsubscribedPage(REF, words))).toContain("ann@example.org erhält von");
  });

  it("is in the nine languages that the contract names", () => {
    const named = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja"];
    expect(named.map((language) => textsFor(language).language)).toEqual(named);
  });

  it.each(PAGE_LANGUAGES)(
    "names address, topic and sender once each in %s, isolated from the text around them",
    (language) => {
      const words = textsFor(language);
      for (const html of [renderUnsubscribePage(REF, words), renderUnsubscribedPage(REF, words)]) {
        const names = html.matchAll(/<strong><bdi>(.*?)<\/bdi><\/strong>/g);
        expect(Array.from(names, ([, name = ""]) => name).toSorted()).toEqual([
          "The Daily Shop",
          "ann@example.org",
          "news",
        ]);
      }
    },
  );

  it("has all texts in every language", () => {
    const all = PAGE_LANGUAGES.map((language) => textsFor(language));
    for (const name of Object.keys(EN) as (keyof typeof EN)[]) {
      const said = all.map((words) =>
        name === "effect" || name === "backEffect" ? words[name]("A", "B", "C") : words[name],
      );
      expect(new Set(said).size, name).toBe(PAGE_LANGUAGES.length);
      for (const text of said) expect(text).not.toMatch(/[<>&"]/);
    }
  });

  it("says that another site's form changed nothing, and asks again", () => {
    const html = renderUnsubscribePage(REF, EN, true);
    expect(html).toContain(
      '<p role="alert">Nothing has changed yet. Please use the button below.</p>',
    );
    expect(html).toContain('name="List-Unsubscribe" value="One-Click"');
    expect(renderUnsubscribePage(REF, EN)).not.toContain("alert");
  });

  it("has a form that posts the same as mail clients, with a descriptive button", () => {
    const html = renderUnsubscribePage(REF, EN);
    expect(html).toContain('<form method="post">');
    expect(html).toContain('<input type="hidden" name="List-Unsubscribe" value="One-Click">');
    expect(html).toMatch(/<button type="submit" aria-describedby="what">Unsubscribe<\/button>/);
    expect(html).toContain('<p id="what">');
    expect(elementsOf(renderSubscribedPage(REF, EN)).map(({ name }) => name)).not.toContain("form");
  });

  it("escapes and isolates foreign text", () => {
    expect(renderUnsubscribePage(HOSTILE, EN)).toContain("<bdi>&#34;&#62;&#60;script&#62;");
  });

  it("has enough contrast in light and dark", () => {
    for (const theme of renderUnsubscribePage(REF, EN).split("prefers-color-scheme: dark")) {
      const colour = (name: string) =>
        new RegExp(`--${name}: #([0-9a-f]{3,6})`).exec(theme)?.[1] ?? "";
      for (const [ink, ground] of [
        ["ink", "card"],
        ["quiet", "card"],
        ["on-accent", "accent"],
      ] as const) {
        expect(contrast(colour(ink), colour(ground)), ink).toBeGreaterThanOrEqual(7);
      }
      expect(contrast(colour("accent"), colour("card"))).toBeGreaterThanOrEqual(3);
    }
  });

  it("shows when its button has the focus", () => {
    expect(renderUnsubscribePage(REF, EN)).toMatch(/button:focus-visible \{ outline: 3px solid/);
  });
});

/** Returns the contrast of two colours by WCAG 2.2. A colour is given as hex digits. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted(
    (left, right) => left - right,
  );
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const full = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
