// Tests how a send's subject, bodies, headers and attachments are validated: which are refused, and
// whether an empty body counts as a body.
import { describe, expect, it } from "vitest";
import { accept, expectRefused, file, mapOf, times } from "./validated-sends.ts";

describe("validateEmail refuses", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["no subject", { subject: undefined }, "422 subject"],
    ["a subject that is a number", { subject: 5 }, "422 subject"],
    ["an empty subject", { subject: "" }, "422 subject"],
    ["a subject of line breaks only", { subject: "\r\n\r\n" }, "422 subject"],
    ["a blank subject", { subject: " \t " }, "422 subject"],
    ["a subject of 999 characters", { subject: "s".repeat(999) }, "422 subject"],
    ["neither text nor html", { text: undefined }, "422 html, text"],
    ["an empty text alone", { text: "" }, "422 html, text"],
    ["empty text and html", { text: "", html: "" }, "422 html, text"],
    ["a text that is a number", { text: 5 }, "422 text"],
    ["a text over its cap", { text: "t".repeat(1_000_001) }, "400 text"],
    ["an html over its cap", { html: "t".repeat(1_000_001) }, "400 html"],
    ["a template beside text", { template_id: "template_x" }, "422 template_id"],
    ["a template beside html", { template_id: "x", text: undefined, html: "x" }, "422 template_id"],
    [
      "a template_id that is a number",
      { template_id: 5, text: undefined, subject: undefined },
      "422 template_id",
    ],
    ["headers that are an array", { headers: ["X-A: b"] }, "422 headers"],
    ["headers that are a string", { headers: "X-A: b" }, "422 headers"],
    [
      "a header value that is not a string",
      { headers: { "X-A": 5, "X-B": ["b"], "X-C": "c" } },
      "422 headers.X-A, headers.X-B",
    ],
    ["26 headers", { headers: mapOf(26, (index) => [`X-${index}`, "v"]) }, "400 headers"],
    ["a header value over its cap", { headers: { "X-A": "v".repeat(8_193) } }, "422 headers.X-A"],
    ["attachments that are an object", { attachments: {} }, "422 attachments"],
    ["an attachment that is a string", { attachments: ["aGk="] }, "422 attachments.0"],
    [
      "an attachment without members",
      { attachments: [{}] },
      "422 attachments.0.content, attachments.0.filename",
    ],
    [
      "invalid base64",
      { attachments: [file({}), file({ content: "a*b=" })] },
      "400 attachments.1.content",
    ],
    ["21 attachments", { attachments: times(21, () => file({})) }, "400 attachments"],
  ])("%s", (_, change, refusal) => {
    expectRefused(change, refusal);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["base64 cut short", { content: "aGkaa" }, "400 content"],
    ["a data URL", { content: "data:text/plain;base64,aGk=" }, "400 content"],
    ["content that is not a string", { content: [104, 105] }, "422 content"],
    ["a file name that is not a string", { filename: 5 }, "422 filename"],
    ["a text that is no content type", { content_type: "text" }, "422 content_type"],
    ["a type with a line break", { content_type: "text/plain\r\nX: y" }, "422 content_type"],
    ["a multipart type", { content_type: "multipart/mixed" }, "422 content_type"],
    ["an overlong type", { content_type: `text/plain${"; a=b".repeat(100)}` }, "422 content_type"],
    ["a content id without a usable character", { content_id: "<\r\n>" }, "422 content_id"],
    ["a content id over its cap", { content_id: "c".repeat(251) }, "422 content_id"],
  ])("an attachment with %s", (_, change, refusal) => {
    expectRefused({ attachments: [file(change)] }, refusal.replace(" ", " attachments.0."));
  });
});

describe("validateEmail accepts", () => {
  it("an empty text beside HTML, and counts it as absent", () => {
    expect(accept({ text: "", html: "<p>Hi</p>" })).toMatchObject({
      text: null,
      html: "<p>Hi</p>",
    });
  });
});
