// Tests how HTML is converted to plain text (src/resources/templates/html-to-text.ts).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { markersOf } from "../../../../src/lib/html/html-markers.ts";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";
import { pairsOf } from "../../fixture-rows.ts";

describe("the text of HTML", () => {
  it.each(pairsOf("markup", "HTML to text"))("for %j is %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("has no wrapped lines", () => {
    const long = "word ".repeat(1_000).trim();
    expect(htmlToText(`<p>${long}</p>`)).toBe(long);
  });
});

describe("the text of a template's HTML", () => {
  it.each(pairsOf("markup", "HTML of templates to text"))(
    "keeps the tags of %j in %j",
    (html, text) => {
      expect(htmlToText(html)).toBe(text);
    },
  );

  it("is a template whenever the HTML is one, with every displayed tag", () => {
    const inner = fc.constantFrom(
      ..."{{a}} {{{b}}} <p>x</p> <td> </td> <tr> <ul><li> </ul> </p> </a> <pre> <br> &#123; \\ { text <table> <blockquote> </blockquote>".split(
        " ",
      ),
      "<!-- {{c}} -->",
      "<p hidden>",
      "<a href='{{u}}'>",
      "\n",
      "<img alt='{{v}} w'>",
    );
    const block = fc.letrec<{ html: string }>((tie) => ({
      html: fc.oneof(
        { maxDepth: 4 },
        inner,
        fc
          .tuple(
            fc.constantFrom("if", "each", "unless"),
            fc.array(tie("html"), { maxLength: 4 }),
            fc.boolean(),
          )
          .map(
            ([name, parts, otherwise]) =>
              `{{#${name} x}}${parts.join("")}${otherwise ? "{{else}}o" : ""}{{/${name}}}`,
          ),
        fc.array(tie("html"), { maxLength: 4 }).map((parts) => parts.join("")),
      ),
    })).html;
    fc.assert(
      fc.property(block, (html) => {
        if (compileTemplate(html).kind === "error") return;
        const text = htmlToText(html);
        const compiled = compileTemplate(text);
        expect(compiled.kind === "error" ? `${compiled.message}: ${text}` : "").toBe("");
        const shown = markersOf(text).filter(({ role }) => role === "open").length;
        expect(shown).toBe(markersOf(text).filter(({ role }) => role === "close").length);
      }),
    );
  });
});

describe("hostile HTML", () => {
  it("with 100,000 nested elements is converted", () => {
    expect(htmlToText(`${"<div>".repeat(100_000)}a${"</div>".repeat(100_000)}b`)).toBe("a\nb");
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        (html) => typeof htmlToText(html) === "string",
      ),
    );
  });
});
