// Tests that deriving text from a hostile template takes linear time. Runs in Node, because a
// Worker can't measure its processor time.
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/resources/templates/markdown/markdown.ts";
import { byteLength, limitText } from "../../src/resources/templates/text-limit.ts";
import { htmlToText } from "../../src/resources/templates/html-to-text.ts";
import { expectLinear } from "../support/processor-time.ts";

const flood = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length));

it("shortening a template takes linear time for many open blocks", async () => {
  await expectLinear(30_000, (size) => {
    const text = "{{#if a}}".repeat(size);
    const bytes = Math.ceil((65_536 * size) / 30_000);
    return () => expect(byteLength(limitText(text, bytes))).toBeLessThanOrEqual(bytes);
  });
});

describe("deriving text from HTML", () => {
  const BYTES = 262_144;

  it.each([
    "<div>",
    "<b>",
    "<ul><li>",
    "<ul><li>a<br>",
    "<table><tr><td>",
    "<td>a",
    "<blockquote>a",
    "<p hidden>",
    "<a href=x>",
    "<a href=x>a",
    "<",
    "<!--",
    "<!---->",
    "<style>",
    "<br>",
    "</div>",
    "{{",
    '{{"}}',
    "{{a}} ",
    "{{#if a}}",
    "&",
    "&#x",
    "<pre>\n",
    "<i></b>",
    "<img alt=a>",
    "<a href=x>a</a>",
    "{{#each a}}<a href=x>a</a>",
    "<td>|",
    "<i>| </i>",
    "<b style=display:inline-block>a",
    "a \n",
    "\u00ad",
    "<p style=';;;;'>",
    "<svg>",
    "<head>",
  ])("takes linear time and space for %s repeated", async (piece) => {
    await expectLinear(BYTES, (size) => {
      const html = flood(piece, size);
      return () => expect(htmlToText(html).length).toBeLessThan(size * 6);
    });
  });

  it.each<[string, string, string]>([
    ['<a href="mailto:', "?", '{">'],
    ['<a href="mailto:', "?{}", '">'],
    ['<p style="', "display:", '">'],
    ["<p style='", "max-height:0 ", "'>"],
    ['<img alt="', "{{a}}", '">'],
  ])(
    "takes linear time for an attribute that begins with %s and repeats %s",
    async (begin, piece, end) => {
      await expectLinear(BYTES, (size) => {
        const html = `${begin}${flood(piece, size)}${end}a`;
        return () => htmlToText(html);
      });
    },
  );
});

describe("rendering Markdown", () => {
  const BYTES = 65_536;

  it.each([
    "> ",
    "- ",
    "1. ",
    "*",
    "*a ",
    "*a**b ",
    "_a",
    "[",
    "[a](",
    "![",
    "`",
    "[a]: b\n",
    "|a",
    "\n",
    "\\",
    "&amp",
    "<",
    "<a:",
    "# a\n",
    "{{#if a}}\n",
    "{{#each a}}\n- b\n",
    "{{",
    "[a](b){button} ",
    "> [!NOTE]\n\n",
    "\ufdd1",
    "\ufdd00\ufdd2",
    "\0",
    "\ud800",
  ])("takes linear time for %j repeated", async (piece) => {
    await expectLinear(BYTES, (size) => {
      const source = flood(piece, size);
      return () => renderMarkdown(source);
    });
  });

  it.each(["> ", "- ", "> - "])("takes linear time for lines in 99 levels of %j", async (level) => {
    await expectLinear(9_600, (size) => {
      const source = `${level.repeat(33)}a\n${"b\n".repeat(size)}`;
      return () => expect(renderMarkdown(source).kind).toBe("html");
    });
  });
});
