// Tests how the encoded words of other mail programs are decoded: correct, sloppy and hostile ones.
import { describe, expect, it } from "vitest";
import { decodeWords } from "../../../src/lib/mime/decode-words.ts";

describe("decodeWords", () => {
  it.each([
    ["plain text", "plain text"],
    ["=?utf-8?Q?Zo=C3=AB?=", "Zoë"],
    ["=?UTF-8?b?Wm/Dqw==?=", "Zoë"],
    ["=?utf-8?B?Wm/Dqw?=", "Zoë"],
    ["=?iso-8859-1?q?Zo=EB_S?=", "Zoë S"],
    ["=?utf-8*nl?Q?Zo=C3=AB?=", "Zoë"],
    ["a =?utf-8?Q?b?= c", "a b c"],
    ["=?utf-8?Q?a?= =?utf-8?Q?b?=", "ab"],
    ["=?utf-8?Q?a?=   =?utf-8?Q?b?= c", "ab c"],
    ["=?utf-8?Q?a?==?utf-8?Q?b?=", "ab"],
    ["=?utf-8?Q?a?= =?iso-8859-1?Q?=EB?=", "aë"],
    ["=?utf-8?Q?=F0=9F?= =?utf-8?Q?=98=80?=", "😀"],
    ["=?utf-8?B?8J8=?= =?utf-8?B?mIA=?=", "😀"],
    ["x=?utf-8?Q?y?=z", "xyz"],
    ["=?utf-8?Q?with spaces in it?=", "with spaces in it"],
    ["=?utf-8?Q??=", ""],
    ["=?utf-8?Q?a=5Fb?=", "a_b"],
  ])("reads %s", (text, expected) => {
    expect(decodeWords(text)).toEqual({ text: expected, complete: true });
  });

  it.each([
    "=?x-unknown?Q?a?=",
    "=?utf-8?Q?=FF?=",
    "=?utf-8?B?!!!?=",
    "=?utf-8?X?a?=",
    "=?utf-8?Q?a",
    "=?",
    "=?utf-7?Q?+AEA-?=",
  ])("leaves %s unchanged and reports it as incomplete", (text) => {
    expect(decodeWords(`a ${text} b`)).toEqual({ text: `a ${text} b`, complete: false });
  });

  it("reports decoded text that looks encoded again as incomplete", () => {
    expect(decodeWords("=?utf-8?Q?=3D=3Futf-8=3FQ=3Fa=3F=3D?=").complete).toBe(false);
  });
});
