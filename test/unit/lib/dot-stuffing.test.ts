// Dot-stuffing (src/lib/dot-stuffing.ts): the lines after DATA, decoded like a server does.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dotStuffed } from "../../../src/lib/dot-stuffing.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

const H = "Subject: x\r\n\r\n";

/** Splits at the first end of data: the text before it, unstuffed, and the rest. */
function asServersRead(wire: string): { message: string; rest: string } {
  const end = wire.startsWith(".\r\n") ? 0 : wire.indexOf("\r\n.\r\n") + 2;
  return { message: wire.slice(0, end).replace(/(^|\r\n)\./g, "$1"), rest: wire.slice(end + 3) };
}

describe("a message behind DATA", () => {
  it.each<[string, string, string?]>([
    ["an ordinary message", `${H}hello\r\nworld\r\n`],
    ["a dot at the very start", `.${H}hello\r\n`],
    ["only a dot", ".", ".\r\n"],
    ["a lone dot on its line", `${H}a\r\n.\r\nb\r\n`],
    ["a lone dot at the end without a line end", `${H}a\r\n.`, `${H}a\r\n.\r\n`],
    ["two and three dots", `${H}..\r\n...\r\n..a\r\n`],
    ["no line end at the end", `${H}a`, `${H}a\r\n`],
    ["nothing at all", ""],
    ["a bare LF before a dot", `${H}a\n.\r\nb\r\n`, `${H}a\r\n.\r\nb\r\n`],
    ["a bare CR before a dot", `${H}a\r.\r\nb\r\n`, `${H}a\r\n.\r\nb\r\n`],
    [
      "bare LF dot LF",
      `${H}a\n.\nMAIL FROM:<evil@example.test>\n`,
      `${H}a\r\n.\r\nMAIL FROM:<evil@example.test>\r\n`,
    ],
    ["CR CR LF", `${H}a\r\r\nb\r\n`, `${H}a\r\n\r\nb\r\n`],
    ["a bare CR at the end", `${H}a\r`, `${H}a\r\n`],
    ["8-bit bytes", `${H}\xe9\r\n.\xfc\r\n`],
  ])("%s is read as it was", (_name, message, read = message) => {
    expect(asServersRead(textOf(dotStuffed(bytesOf(message))))).toEqual({
      message: read,
      rest: "",
    });
  });

  it("ends nowhere but at its end, whatever it holds", () => {
    const text = fc
      .array(fc.constantFrom("\r", "\n", ".", "a", "\r\n", "\r\n.\r\n"), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (message) => {
        const wire = textOf(dotStuffed(bytesOf(message)));
        expect(wire).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
        expect(asServersRead(wire).rest).toBe("");
      }),
    );
  });
});
