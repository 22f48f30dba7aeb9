// Tests the text that is derived from footers as common tools write them (test/fixtures/footers),
// and from elements that stand side by side on a line (src/resources/templates/text-neighbours.ts).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";
import { HtmlInText } from "../../../../src/resources/templates/html-in-text.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

const files = import.meta.glob("../../../fixtures/footers/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});
const footerBy = (tool: string) => String(files[`../../../fixtures/footers/${tool}.txt`]);

describe("the text of a footer", () => {
  it.each([
    [
      "react-email",
      "Track it (https://shop.example/track) Get help (https://shop.example/help)\n\nX (https://x.example/) LinkedIn (https://linkedin.example/) Blog (https://shop.example/b)\n\n----------\n\nAcme Inc.\n12 High St Unsubscribe (https://shop.example/out)",
    ],
    [
      "mjml",
      "Facebook (https://facebook.example/acme)\n\nX (https://x.example/acme)\n\nStart (https://acme.example/a) Prices (https://acme.example/b)",
    ],
    [
      "mailchimp",
      "Facebook (https://facebook.example/)\n\nCopyright © 2026 Acme, All rights reserved.\n\nWant to change how you receive these emails?\nYou can update your preferences (https://list.example/p) or leave (https://list.example/u).\nForward (https://list.example/f) | Share",
    ],
    [
      "foundation",
      "One (https://acme.example/one) | Two (https://acme.example/two)\n\nPhone: +1 555 0100 (+15550100)\n\nOrder: 4711\nSum | 9.00\nTerms (https://acme.example/t) | Data (https://acme.example/d)",
    ],
  ])("by %s reads as it looks", (tool, text) => {
    expect(htmlToText(footerBy(tool))).toBe(text);
  });
});

describe("neighbours on a line", () => {
  it.each([
    ['<a href="u"><img alt="One"></a><a href="v">Two</a>', "One (u) Two (v)"],
    ['<a href="#">One</a><a>Two</a>', "One Two"],
    ['<a href="u">u</a><b>and</b>', "u and"],
    ['(<a href="u">One</a>)<a href="v">.</a>', "(One (u)). (v)"],
    ['<a href="u">One</a>two, <a href="v">three</a>, four', "One (u) two, three (v), four"],
    ['<img alt="One"><img alt="Two">three<img alt="">four', "One Two threefour"],
    ['Hi <img alt="Ann">, you', "Hi Ann, you"],
    [
      '<b style="display: inline-block!important">1</b><i style="DISPLAY:inline-flex">2</i>3',
      "1 2 3",
    ],
    ['<a href="u" style="display:block">1</a><span style="display:block">2</span>3', "1 (u)\n2\n3"],
    ['<b>w</b>or<i>d</i>s, <a href="#">un</a>do', "words, undo"],
    ['<a href="u">One</a>{{two}}', "One (u) {{two}}"],
    [
      '<a href="u">1</a>{{#if a}}<a href="v">2</a>{{/if}}<a href="w">3</a>',
      "1 (u){{#if a}} 2 (v){{/if}} 3 (w)",
    ],
    ['{{#each l}}<a href="{{u}}">{{t}}</a>{{/each}}', "{{#each l}}{{t}} ({{u}}) {{/each}}"],
    ['<a href="u">1</a>{{#each l}}<a href="v">2</a>{{/each}}', "1 (u){{#each l}} 2 (v){{/each}}"],
    ['{{#if a}}<a href="u"><div>1</div></a>{{/if}}', "{{#if a}}\n1 (u)\n{{/if}}"],
    ["<table><tr><td><b>Sum:</b></td><td>9</td><td>EUR</td></tr></table>", "Sum: 9 | EUR"],
    ['<table><tr><td>a</td><td><a href="u">u</a></td></tr></table>', "a | u"],
    ["<table><tr><td>a</td><td>-</td><td>3</td></tr></table>", "a | - | 3"],
    ["<pre>| a |\n|</pre>", "| a |\n|"],
    ['<p>a | <a href="u" hidden>b</a> | c</p>', "a | c"],
    ["<p>{{#each l}} {{t}}{{/each}}</p>", "{{#each l}}{{t}} {{/each}}"],
    ["<p>{{#each l}}{{t}}{{/each}}</p>", "{{#each l}}{{t}}{{/each}}"],
    ["<p>{{#each l}} | {{t}}{{/each}}</p>", "{{#each l}}| {{t}} {{/each}}"],
    ["<p>a || b | c|</p>", "a || b | c|"],
    ["<p>&bull; a</p><p>&middot;&nbsp;b</p>", "• a\n\n· b"],
  ])("stand apart as on the screen: %j is %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it.each([
    "",
    " ",
    "#",
    "mailto:",
    "mailto:?subject=x",
    "tel:",
    "http://",
    "https:",
    "&#8203;",
    "\u00ad",
  ])("of a link to %j is its text alone", (href) => {
    expect(htmlToText(`<a href="${href}">m</a>.`)).toBe("m.");
  });

  it("of a link to an empty value is its text alone, wherever the value comes from", () => {
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

  it("are separated in every footer, and no line begins or ends with a separator", () => {
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
      { numRuns: 300 },
    );
  });
});
