// Tests how the console prepares a sent message's HTML (console/src/pages/message/sent-html.ts).
import { describe, expect, it } from "vitest";
import {
  dataUrl,
  hasRemoteImages,
  withFiles,
} from "../../../console/src/pages/message/sent-html.ts";

describe("a sent message's HTML", () => {
  it("shows its files as data, by content ids as they are and percent-encoded", () => {
    const logo = dataUrl("image/png", Uint8Array.of(1, 255));
    expect(logo).toBe("data:image/png;base64,Af8=");
    const files = new Map([
      ["logo", logo],
      ["a b@x", "data:,b"],
    ]);
    const html = `<img src="cid:logo"><td background=CID:a%20b@x><p style="background:url(cid:logo)">`;
    expect(withFiles(html, files)).toBe(
      `<img src="${logo}"><td background=data:,b><p style="background:url(${logo})">`,
    );
    for (const unknown of ['<img src="cid:other">', '<img src="cid:%zz">', "acid:logo"])
      expect(withFiles(unknown, files)).toBe(unknown);
  });

  it("leaves a file out that has no room in the frame's form", () => {
    const files = new Map([["big", `data:,${"x".repeat(2_000_000)}`]]);
    const shown = withFiles('<img src="cid:big"><img src="cid:big">', files);
    expect(shown.match(/cid:big/g)).toHaveLength(1);
  });

  it.each([
    ['<img src="https://x.example/a.png">', true],
    ["<img src=//x.example/a.png>", true],
    ['<td background="http://x.example/a">', true],
    ["<p style=\"background: url('https://x.example/a')\">", true],
    ['<img srcset="https://x.example/a 2x">', true],
    ['<a href="https://x.example">', false],
    ['<img src="cid:logo"><img src="data:image/png;base64,AA==">', false],
  ])("of %s has remote images: %j", (html, expected) => {
    expect(hasRemoteImages(html)).toBe(expected);
  });
});
