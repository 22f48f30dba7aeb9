// Tests that a check before a send takes linear time, whatever the mail holds. Runs in Node,
// because a Worker can't measure its processor time.
import { describe, it } from "vitest";
import { judgeShort } from "../unit/lint/short-mail.ts";
import { expectLinear } from "../support/processor-time.ts";

const flood = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

describe("a check", () => {
  it.each([
    '<a href="x">',
    '<img src="http://x/a.png">',
    '<p style="color:#000">a',
    "<div><table><td>",
    "<style>a{b:url(",
    "<style>@media{",
    "<style>a{width:calc(1vh)}</style>",
    '<font color=red background="url(',
    "{{a",
  ])("takes 400 KB of %j in linear time", async (piece) => {
    await expectLinear(400_000, (size) => {
      const html = flood(piece, size);
      return () => judgeShort({ html, text: html });
    });
  });

  it("takes 4,000 unknown variables in linear time", async () => {
    await expectLinear(4_000, (count) => {
      const html = Array.from({ length: count }, (_, index) => `{{v${index}}}`).join(" ");
      return () => judgeShort({ html, variables: { v: 1 } });
    });
  });
});
