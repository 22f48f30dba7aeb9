// Tests the text that is derived from footers as common tools write them (test/fixtures/footers),
// and from elements that stand side by side on a line (src/resources/templates/text-separators.ts).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";
import { HtmlInText } from "../../../../src/resources/templates/html-in-text.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";
import { pairsOf } from "../../fixture-rows.ts";

const files = import.meta.glob("../../../fixtures/footers/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});
const footerBy = (tool: string) => String(files[`../../../fixtures/footers/${tool}.txt`]);

describe("the text of a footer", () => {
  it.each(pairsOf("markup", "footers to text"))("by %s reads as it looks", (tool, text) => {
    expect(htmlToText(footerBy(tool))).toBe(text);
  });
});

describe("the text of neighbours on a line", () => {
  it.each(pairsOf("markup", "neighbours to text"))(
    "is separated as on the screen: %j is %j",
    (html, text) => {
      expect(htmlToText(html)).toBe(text);
    },
  );

  it.each([
    ..."# mailto: mailto:?subject=x tel: http:// https: &#8203;".split(" "),
    "",
    " ",
    "\u00ad",
  ])("has no address for a link to %j", (href) => {
    expect(htmlToText(`<a href="${href}">m</a>.`)).toBe("m.");
  });

  it("has no address for a link to an empty value, wherever the value comes from", () => {
    const textOf = (html: string, variables: Readonly<Record<string, unknown>>) => {
      const template = compileTemplate(htmlToText(html));
      if (template.kind === "error") throw new Error(template.message);
      const result = renderTemplate(template, variables, { escape: false, flow: new HtmlInText() });
      return result.kind === "text" ? result.text : result.message;
    };
    expect(textOf('<a href="{{u}}">m</a>, <a href="{{{v}}}">n</a>.', { v: "" })).toBe("m, n.");
    expect(textOf('<a href="{{u}}">m</a>', { u: "w" })).toBe("m (w)");
    expect(textOf("<p>a ({{u}}</p>", {})).toBe("a (");
  });

  it("is separated in every footer, and no line begins or ends with a separator", () => {
    const link = fc.constantFrom(
      (at: number) => `<a href="https://a.example/${at}">w${at}</a>`,
      (at: number) => `<a href="https://a.example/${at}"><img alt="w${at}"></a>`,
      (at: number) => `<a href="mailto:"><b>w${at}</b></a>`,
      (at: number) =>
        `<a style="display:inline-block" href="https://a.example/${at}"><i>w${at}</i></a>`,
      (at: number) => `<img style="display:block" alt="w${at}">`,
      (at: number) => `<a href="https://a.example/${at}" style="display:none">w${at}</a>`,
      (at: number) => `<a href="https://a.example/w${at}"></a>`,
    );
    const between = fc.constantFrom(
      ..."&nbsp;|&nbsp; <td> <td>|<td> <tr><td> <br> <p> <b></b>".split(" "),
      "",
      "",
      " | ",
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(link, between), { minLength: 2, maxLength: 8 }), (parts) => {
        const body = parts.map(([part, gap], at) => part(at) + gap).join("");
        const text = htmlToText(`<table><tr><td>${body}</td></tr></table>`);
        expect(text).not.toMatch(/w\d+w\d|\)w|\(\)|^\s*\||\|\s*$|\|\s*\|/m);
        for (const [at, [part]] of parts.entries())
          if (!part(at).includes("none")) expect(text).toMatch(new RegExp(`\\bw${at}\\b`));
      }),
    );
  });
});
