// Derives the text of footers as the usual tools write them, and of whatever stands side by side
// (src/resources/templates/text-neighbours.ts).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";
import { HtmlInText } from "../../../../src/resources/templates/html-in-text.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

const lines = (...text: string[]) => text.join("\n");

const REACT_EMAIL = `<div style="display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0" data-skip-in-text="true">Your order<div>&nbsp;&zwnj;&#8203;&zwj;&#8206;&#8207;&#65279;</div></div>
<table align="center" width="100%" border="0" cellpadding="0" cellspacing="0" role="presentation"><tbody><tr><td>
<a href="https://shop.example/track" style="line-height:100%;text-decoration:none;display:inline-block;max-width:100%;padding:12px 20px" target="_blank"><span><!--[if mso]><i style="mso-font-width:500%" hidden>&#8202;&#8202;</i><![endif]--></span><span style="max-width:100%;display:inline-block;line-height:120%">Track it</span><span><!--[if mso]><i hidden>&#8202;</i><![endif]--></span></a><a href="https://shop.example/help" style="display:inline-block"><span style="max-width:100%;display:inline-block">Get help</span></a>
<p style="font-size:12px"><a href="https://x.example/" target="_blank"><img alt="X" height="24" src="x.png" style="display:inline;outline:none;border:none" width="24"/></a><a href="https://linkedin.example/" target="_blank"><img alt="LinkedIn" src="l.png" style="display:inline"/></a><a href="https://shop.example/blog">Blog</a></p>
<hr style="width:100%;border:none"/><p>Acme Inc. <br/>12 High St <a href="https://shop.example/out">Unsubscribe</a></p>
</td></tr></tbody></table>`;

const MJML = `<div style="display:none;font-size:1px;color:#fff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">Preview</div>
<div style="background:#fff;margin:0px auto;max-width:600px;"><table align="center" role="presentation" style="width:100%;"><tbody><tr><td style="direction:ltr;font-size:0px;text-align:center;"><!--[if mso | IE]><table><tr><td style="vertical-align:top;width:300px;"><![endif]-->
<div class="mj-column-per-50" style="font-size:0px;display:inline-block;vertical-align:top;width:100%;"><table width="100%"><tbody><tr><td style="font-size:0px;"><!--[if mso | IE]><table><tr><td><![endif]-->
<table style="float:none;display:inline-table;"><tbody><tr><td style="padding:4px;"><table style="background:#3b5998;width:20px;"><tbody><tr><td><a href="https://facebook.example/acme"><img alt="Facebook" src="f.png" style="border-radius:3px;display:block;" width="20"/></a></td></tr></tbody></table></td></tr></tbody></table><!--[if mso | IE]></td><td><![endif]-->
<table style="float:none;display:inline-table;"><tbody><tr><td style="padding:4px;"><a href="https://x.example/acme"><img alt="X" src="x.png" style="display:block;"/></a></td></tr></tbody></table>
</td></tr></tbody></table></div>
<div class="mj-inline-links" style="line-height:0;"><a class="mj-link" href="https://acme.example/a" style="display:inline-block;padding:15px 10px;">Start</a><!--[if mso | IE]></td><td><![endif]--><a class="mj-link" href="https://acme.example/b" style="display:inline-block;">Prices</a></div></td></tr></tbody></table></div>`;

const MAILCHIMP = `<table class="mcnFollowContent"><tr><td><table align="left" style="display:inline;"><tr><td class="mcnFollowContentItemContainer"><table><tr><td class="mcnFollowIconContent"><a href="https://facebook.example/"><img src="f.png" alt="Facebook" style="display:block;" height="24"></a></td></tr></table></td></tr></table></td></tr></table>
<table class="mcnTextBlock"><tr><td class="mcnTextContent"><em>Copyright &copy; 2026 Acme, All rights reserved.</em><br><br>Want to change how you receive these emails?<br>You can <a href="https://list.example/p">update your preferences</a> or <a href="https://list.example/u">unsubscribe from this list</a>.<br>&nbsp;<a href="https://list.example/v" style="display:none">View</a>&nbsp;|&nbsp;<a href="https://list.example/f">Forward</a>&nbsp;|&nbsp;<a href="">Share</a>&nbsp;|&nbsp;<a href="https://list.example/x"  hidden>X</a></td></tr></table>`;

const FOUNDATION = `<table class="menu"><tr><td><table><tr><th class="menu-item float-center"><a href="https://acme.example/one">One</a></th><th class="menu-item float-center"><a href="https://acme.example/two">Two</a></th><th class="menu-item"></th></tr></table></td></tr></table>
<table class="row"><tbody><tr><th class="small-6 columns"><table><tr><th><p>Phone: <a href="tel:+15550100">+1 555 0100</a></p></th><th class="expander"></th></tr></table></th></tr></tbody></table>
<table><tr><td>Order:</td><td>4711</td></tr><tr><td>Sum</td><td>&nbsp;</td><td>9.00</td></tr><tr><td><a href="https://acme.example/t">Terms</a></td><td>|</td><td><a href="https://acme.example/d">Data</a></td><td>&bull;</td><td></td></tr><tr><td>|</td></tr></table>`;

describe("the text of a footer", () => {
  it.each([
    [
      "react-email",
      REACT_EMAIL,
      lines(
        "Track it (https://shop.example/track) Get help (https://shop.example/help)",
        "",
        "X (https://x.example/) LinkedIn (https://linkedin.example/) Blog (https://shop.example/blog)",
        "",
        "----------",
        "",
        "Acme Inc.",
        "12 High St Unsubscribe (https://shop.example/out)",
      ),
    ],
    [
      "MJML",
      MJML,
      lines(
        "Facebook (https://facebook.example/acme)",
        "",
        "X (https://x.example/acme)",
        "",
        "Start (https://acme.example/a) Prices (https://acme.example/b)",
      ),
    ],
    [
      "Mailchimp",
      MAILCHIMP,
      lines(
        "Facebook (https://facebook.example/)",
        "",
        "Copyright © 2026 Acme, All rights reserved.",
        "",
        "Want to change how you receive these emails?",
        "You can update your preferences (https://list.example/p) or unsubscribe from this list (https://list.example/u).",
        "Forward (https://list.example/f) | Share",
      ),
    ],
    [
      "Foundation",
      FOUNDATION,
      lines(
        "One (https://acme.example/one) | Two (https://acme.example/two)",
        "",
        "Phone: +1 555 0100 (+15550100)",
        "",
        "Order: 4711",
        "Sum | 9.00",
        "Terms (https://acme.example/t) | Data (https://acme.example/d)",
      ),
    ],
  ])("by %s reads as it looks", (_, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
});

describe("neighbours on a line", () => {
  it.each([
    ["links", '<a href="u"><img alt="One"></a><a href="v">Two</a>', "One (u) Two (v)"],
    ["links that lead nowhere", '<a href="#">One</a><a>Two</a>', "One Two"],
    ["a link that shows its address", '<a href="u">u</a><b>and</b>', "u and"],
    ["a link and a sentence's end", '(<a href="u">One</a>)<a href="v">.</a>', "(One (u)). (v)"],
    [
      "a link and a word",
      '<a href="u">One</a>two, <a href="v">three</a>, four',
      "One (u) two, three (v), four",
    ],
    ["images", '<img alt="One"><img alt="Two">three<img alt="">four', "One Two threefour"],
    ["an image and a comma", 'Hi <img alt="Ann">, you', "Hi Ann, you"],
    [
      "inline blocks",
      '<b style="display: inline-block!important">1</b><i style="DISPLAY:inline-flex">2</i>3',
      "1 2 3",
    ],
    [
      "blocks by style",
      '<a href="u" style="display:block">1</a><span style="display:block">2</span>3',
      lines("1 (u)", "2", "3"),
    ],
    ["parts of a word", '<b>w</b>or<i>d</i>s, <a href="#">un</a>do', "words, undo"],
    ["a value behind a link", '<a href="u">One</a>{{two}}', "One (u) {{two}}"],
    [
      "links in conditions",
      '<a href="u">1</a>{{#if a}}<a href="v">2</a>{{/if}}<a href="w">3</a>',
      "1 (u){{#if a}} 2 (v){{/if}} 3 (w)",
    ],
    [
      "links in a loop",
      '{{#each l}}<a href="{{u}}">{{t}}</a>{{/each}}',
      "{{#each l}}{{t}} ({{u}}) {{/each}}",
    ],
    [
      "links in a loop behind one",
      '<a href="u">1</a>{{#each l}}<a href="v">2</a>{{/each}}',
      "1 (u){{#each l}} 2 (v){{/each}}",
    ],
    [
      "a linked block behind a condition",
      '{{#if a}}<a href="u"><div>1</div></a>{{/if}}',
      lines("{{#if a}}", "1 (u)", "{{/if}}"),
    ],
    [
      "a label and its value",
      "<table><tr><td><b>Sum:</b></td><td>9</td><td>EUR</td></tr></table>",
      "Sum: 9 | EUR",
    ],
    [
      "a cell that is a link",
      '<table><tr><td>a</td><td><a href="u">u</a></td></tr></table>',
      "a | u",
    ],
    ["cells around a dash", "<table><tr><td>a</td><td>-</td><td>3</td></tr></table>", "a | - | 3"],
    ["preformatted separators", "<pre>| a |\n|</pre>", lines("| a |", "|")],
    ["separators around a hidden link", '<p>a | <a href="u" hidden>b</a> | c</p>', "a | c"],
    ["words in a loop", "<p>{{#each l}} {{t}}{{/each}}</p>", "{{#each l}}{{t}} {{/each}}"],
    ["parts of a word in a loop", "<p>{{#each l}}{{t}}{{/each}}</p>", "{{#each l}}{{t}}{{/each}}"],
    ["separators of a loop", "<p>{{#each l}} | {{t}}{{/each}}</p>", "{{#each l}}| {{t}} {{/each}}"],
    ["separators in a sentence", "<p>a || b | c|</p>", "a || b | c|"],
    ["a bullet", "<p>&bull; a</p><p>&middot;&nbsp;b</p>", lines("• a", "", "· b")],
  ])("stand apart as on the screen: %s", (_, html, text) => {
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

  it("are separated, and no line begins or ends with a separator, in every footer", () => {
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
      "",
      "",
      " | ",
      "&nbsp;|&nbsp;",
      "<td>",
      "<td>|<td>",
      "<tr><td>",
      "<br>",
      "<p>",
      "<b></b>",
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
