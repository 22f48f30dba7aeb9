// Tests how the line ends of submitted messages are rewritten: only CRLF ends a line, and nothing
// else changes.
import { fc } from "../../../../support/properties.ts";
import { expect, it } from "vitest";
import { toCrlfLines } from "../../../../../src/lib/mime/line-ends.ts";
import { octets, textOf } from "./submissions.ts";

const OCTETS = fc
  .array(fc.constantFrom("\r", "\n", "\0", "a", ".", "\xff", "\r\n"), { maxLength: 40 })
  .map((pieces) => pieces.join(""));

it.each([
  ["", ""],
  ["a", "a\r\n"],
  ["a\r\n", "a\r\n"],
  ["a\nb", "a\r\nb\r\n"],
  ["a\rb\r", "a\r\nb\r\n"],
  ["a\n\rb", "a\r\n\r\nb\r\n"],
  ["a\r\r\nb\r\n", "a\r\nb\r\n"],
  ["a\r\r\r\nb\r\r", "a\r\nb\r\n\r\n"],
  ["a\0b\r\0\n", "ab\r\n\r\n"],
  ["\0", ""],
  ["a\r\n\0", "a\r\n"],
])("toCrlfLines() makes %j into %j", (given, expected) => {
  expect(textOf(toCrlfLines(octets(given)))).toBe(expected);
});

it("toCrlfLines() gives the same result as successive substitutions", () => {
  fc.assert(
    fc.property(OCTETS, (given) => {
      const lines = given.replace(/\r+\n|\r|\n/g, "\n").replaceAll("\0", "");
      const ended = lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
      expect(textOf(toCrlfLines(octets(given)))).toBe(ended.replaceAll("\n", "\r\n"));
    }),
  );
});

it("toCrlfLines() returns the same array when nothing has to change", () => {
  const clean = octets("a\r\n\r\nb\xff\r\n");
  expect(toCrlfLines(clean)).toBe(clean);
});
