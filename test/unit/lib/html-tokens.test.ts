// Tests how HTML is split into tokens (src/lib/html/html-tokens.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import {
  attributeValue,
  decodeText,
  type HtmlToken,
  tokenizeHtml,
} from "../../../src/lib/html/html-tokens.ts";
import { pairsOf } from "../fixture-rows.ts";

const tokens = (html: string, templated = true) => [...tokenizeHtml(html, { templated })];
/** Describes each HTML token as `kind name: source`. */
const sketch = (html: string, templated = true) =>
  tokens(html, templated).map(
    (token) =>
      `${token.kind}${"name" in token ? ` ${token.name}` : ""}: ${html.slice(token.start, token.end)}`,
  );
const firstTag = (html: string) =>
  tokens(html).find(
    (token): token is Extract<HtmlToken, { kind: "open" }> => token.kind === "open",
  );
const valueOf = (html: string, name: string) =>
  attributeValue(html, firstTag(html)?.attributes ?? [], name);

describe("tokenizeHtml", () => {
  it.each(pairsOf("html", "tokens"))("splits %j", (html, expected) => {
    expect(sketch(html).join(" | ")).toBe(expected);
  });

  it("treats braces as plain characters outside templates", () => {
    expect(sketch("{{a<b}}>", false)).toEqual(["text: {{a", "open b}}: <b}}>"]);
  });

  it("assigns every character to exactly one token, in order, for any input", () => {
    const strings = "<,>,</,<!--,-->,a, ,\",',=,/,{{,}},<style>,</style>,<p ,&lt;,!,\0,🙂";
    const piece = fc.constantFrom(...strings.split(","));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, templated) => {
        const html = pieces.join("");
        let at = 0;
        for (const token of tokens(html, templated)) {
          expect(token.start).toBe(at);
          expect(token.end).toBeGreaterThan(at);
          at = token.end;
          if (token.kind === "open")
            for (const { valueStart, valueEnd } of token.attributes)
              expect(valueEnd).toBeGreaterThanOrEqual(valueStart);
        }
        expect(at).toBe(html.length);
      }),
    );
  });
});

describe("attributeValue", () => {
  it.each([
    ['<a href="x&amp;y">', "x&y"],
    ["<a href = 'x'>", "x"],
    ["<a HREF=x/y?z>", "x/y?z"],
    ["<a href>", ""],
    ["<a href= >", ""],
    ["<a href=a href=b>", "a"],
    ["<a/href=x>", "x"],
    ["<a href=x&copy=1>", "x&copy=1"],
    ['<a href="{{lookup a "b"}}&amp;{{c}}">', '{{lookup a "b"}}&{{c}}'],
    ['<a href="{{x&amp;y}}">', "{{x&amp;y}}"],
    ["<a href={{u v}}/z>", "{{u v}}/z"],
    ["<a title=x>", undefined],
  ])("reads the href of %s", (html, value) => {
    expect(valueOf(html, "href")).toBe(value);
  });
});

describe("decodeText", () => {
  it("decodes references as a browser does", () => {
    const html = "&lt;b&gt; &amp;amp; &eacute;&#233;&#xe9; &copy &nosuch; &#128; &#0; &";
    expect(decodeText(html, { start: 0, end: html.length })).toBe(
      "<b> &amp; ééé © &nosuch; € \ufffd &",
    );
  });
});
