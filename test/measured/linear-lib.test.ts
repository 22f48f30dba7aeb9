// Tests that the parsers in src/lib take linear time for any input. Runs in Node, because a Worker
// can't measure its processor time.
import { describe, expect, it } from "vitest";
import { decodeWords } from "../../src/lib/mime/decode-words.ts";
import { markersOf } from "../../src/lib/html/html-markers.ts";
import { OpenElements } from "../../src/lib/html/html-open-elements.ts";
import { tokenizeHtml } from "../../src/lib/html/html-tokens.ts";
import { quoteInexactNumbers } from "../../src/lib/json-text/exact-numbers.ts";
import { redact } from "../../src/lib/redact.ts";
import { expectLinear } from "../support/processor-time.ts";

const flood = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

describe("decoding encoded words of a header", () => {
  it.each(["=?a", "=?a?Q?", "=?utf-8?Q?a?= ", "=?a?b?c", "?="])(
    "takes 200 KB of %j in linear time",
    async (piece) => {
      await expectLinear(200_000, (size) => {
        const text = flood(piece, size);
        return () => decodeWords(text);
      });
    },
  );
});

describe("quoting the inexact numbers of JSON", () => {
  it.each(["1234567890123456789,", '"variables":{1e9,', "-0.0000000000000000", "9", "0"])(
    "takes half a megabyte of %j in linear time",
    async (piece) => {
      await expectLinear(500_000, (size) => {
        const text = `{"variables":[12345678901234567890,${flood(piece, size)}1`;
        return () => quoteInexactNumbers(text, new Set(["variables"]));
      });
    },
  );
});

describe("redacting a text for the log", () => {
  it.each<[string, (size: number) => string]>([
    ["one word", (size) => "x".repeat(size)],
    ["at signs", (size) => "@".repeat(size)],
    ["quotes and at signs", (size) => flood('"@', size)],
    ["one address", (size) => `${"x".repeat(size / 2)}@${"y".repeat(size / 2)}`],
  ])("takes a quarter of a megabyte of %s in linear time", async (_, textOf) => {
    await expectLinear(250_000, (size) => {
      const text = textOf(size);
      return () => redact(text, ["secret"]);
    });
  });
});

describe("splitting HTML into tokens", () => {
  it.each([
    "<",
    "<a",
    "<a ",
    "<a b=",
    "<a b='",
    "<!--",
    "<!---->",
    "</",
    "</a>",
    "<style>",
    "<title></title>",
    "{{",
    "<a {{",
    '<a b="{{',
    "<a b={{c}}",
    "&",
  ])("takes linear time for a flood of %s", async (piece) => {
    await expectLinear(100_000, (size) => {
      const html = piece.repeat(size);
      return () => expect([...tokenizeHtml(html, { templated: true })].length).toBeGreaterThan(0);
    });
  });
});

describe("finding the tags of a template", () => {
  it.each(["{{", '{{"}}', "{{[}}", "{{!--}}", "{{'", '{{a "', "{{!", "\\{{"])(
    "takes linear time for braces that close far away or never: %s",
    async (piece) => {
      await expectLinear(60_000, (size) => {
        const text = piece.repeat(size);
        return () => markersOf(text);
      });
    },
  );
});

describe("tracking open HTML elements", () => {
  it.each(["div", "ul li", "table tr td", "p b", "i /b", "ul /tr", "table /td"])(
    "takes linear time for deep nesting and unmatched end tags: %s",
    async (piece) => {
      await expectLinear(50_000, (size) => {
        const tags = Array.from({ length: size }, () => piece.split(" ")).flat();
        return () => play(tags);
      });
    },
  );
});

function play(tags: readonly string[]): void {
  const open = new OpenElements<null>(() => undefined);
  for (const tag of tags) {
    if (tag.startsWith("/")) {
      open.close(tag.slice(1));
    } else {
      open.closeBefore(tag);
      open.open(tag, null);
    }
  }
  open.closeAll();
}
