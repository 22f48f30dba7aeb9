// Tests that the `cid:` URLs in HTML lead to the attachments that they mean
// (src/mail/accept/render/inline-pictures.ts).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { readAttachments } from "../../../../src/mail/accept/attachments.ts";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";
import { connectPictures } from "../../../../src/mail/accept/render/inline-pictures.ts";

function connect(html: string, contentIds: readonly string[]) {
  const attachments = readAttachments(
    {
      attachments: contentIds.map((content_id) => ({ filename: "a", content: "", content_id })),
    },
    new FieldProblems(),
  );
  const { unmatched, ...connected } = connectPictures({ html, attachments }, "emails.3");
  return {
    html: connected.html,
    ids: attachments.map(({ contentId }) => contentId),
    unmatched: unmatched.map(({ path }) => path.join(".")),
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");

describe("a content id", () => {
  it("is the same in its header and in its URL, whatever characters it has", () => {
    const piece = fc.constantFrom(
      ..."a|Z|.|@|-|_|~|%| |(|)|#|?|&|=|+|ö|o\u0308|😀|;|%41|/".split("|"),
    );
    const contentId = fc
      .array(piece, { minLength: 1, maxLength: 8 })
      .map((pieces) => pieces.join(""));
    const quoted = (url: string): string => `<img src="cid:${escapeHtml(url)}">`;
    const spellings: ((id: string) => [given: string, html: string])[] = [
      (id) => [id, quoted(id)],
      (id) => [id, quoted(encodeURIComponent(id))],
      (id) => [`<${id}>`, `<td background='cid:${escapeHtml(id)}'>`],
      (id) => [`cid:${id}`, quoted(id)],
      (id) => [`cid:${id}`, quoted(`cid:${id}`)],
      (id) => [id, `<p style="background:url(&quot;cid:${encodeURIComponent(id)}&quot;)">`],
    ];
    fc.assert(
      fc.property(contentId, fc.constantFrom(...spellings), (given, spell) => {
        const id = given.trim();
        if (id === "") return;
        const [written, source] = spell(id);
        const { html, ids, unmatched } = connect(source, [written]);
        const [, url = ""] = /cid:([^"'&>]*)/.exec(html ?? "") ?? [];
        expect(unmatched).toEqual([]);
        expect(ids).toEqual([decodeURIComponent(url)]);
        expect(ids[0]).toMatch(/^[A-Za-z0-9!$*+=/._@~-]+$/);
      }),
    );
  });

  it.each([
    '<img src="cid:logo">',
    "<img src=cid:logo><img src=' CID:logo'>",
    "<p style='background: url(cid:logo)'>",
    '<img src="cid:logo"><p>cid:gone and "cid: no</p>',
    '<img src="cid:%6Cogo">',
  ])("that is plain leaves the HTML as it is: %s", (html) => {
    expect(connect(html, ["logo"])).toEqual({ html, ids: ["logo"], unmatched: [] });
  });

  it("without a counterpart is named, and so is a URL without an attachment", () => {
    const html = '<img src="cid:gone"><img src="cid:gone"><img src="cid:b">';
    expect(connect(html, ["a", "b"]).unmatched).toEqual([
      "emails.3.html.gone",
      "emails.3.attachments.0.content_id",
    ]);
  });
});
