// Tests how a send's attachments are read: base64 in every spelling, unsafe file names and content
// ids, and missing types.
import { describe, expect, it } from "vitest";
import { readAttachments } from "../../../../src/mail/accept/attachments.ts";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";

function read(attachment: Record<string, unknown>) {
  const problems = new FieldProblems();
  const [stored] = readAttachments(
    { attachments: [{ filename: "a.bin", content: "aGk=", ...attachment }] },
    problems,
  );
  if (problems.count > 0) throw new Error(problems.refusal().body);
  return stored;
}

describe("readAttachments", () => {
  it.each([
    ["+/+/", [0xfb, 0xff, 0xbf]],
    ["-_-_", [0xfb, 0xff, 0xbf]],
    ["-/+_", [0xfb, 0xff, 0xbf]],
    ["aGk", [0x68, 0x69]],
    ["aA", [0x68]],
    ["aGk=\r\n", [0x68, 0x69]],
    ["aG\nk\r\n=", [0x68, 0x69]],
    ["", []],
  ])("stores the content %j as its bytes", (content, bytes) => {
    expect(read({ content })?.content).toEqual(Uint8Array.from(bytes));
  });

  it.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ann\\report.pdf", "report.pdf"],
    ["/a/b\\c/d.txt", "d.txt"],
    ["a\u0000b\r\nContent-Type: x.txt", "abContent-Type: x.txt"],
    ["Übersicht 日本.pdf", "Übersicht 日本.pdf"],
    ['quote".txt', 'quote".txt'],
    ["", "attachment"],
    ["..", "attachment"],
    ["a/", "attachment"],
    ["\u0000/ \u0007", "attachment"],
    [`${"n".repeat(300)}.pdf`, `${"n".repeat(251)}.pdf`],
  ])("stores the file name %j as %j", (filename, stored) => {
    expect(read({ filename })?.filename).toBe(stored);
  });

  it.each([
    ["a.PDF", "application/pdf"],
    ["a.tar.gz", "application/gzip"],
    ["photo.jpeg", "image/jpeg"],
    ["invite.ics", "text/calendar"],
    ["a.constructor", "application/octet-stream"],
    ["a.__proto__", "application/octet-stream"],
    ["pdf", "application/octet-stream"],
    ["a.", "application/octet-stream"],
  ])("gives %s the type %s when none is named", (filename, type) => {
    expect(read({ filename })?.contentType).toBe(type);
  });

  it.each([
    "image/png",
    "text/calendar; method=REQUEST; charset=utf-8",
    'text/plain;name="a b.txt"',
    "application/vnd.ms-excel",
    "message/rfc822",
  ])("stores the type %s unchanged", (type) => {
    expect(read({ content_type: ` ${type} ` })?.contentType).toBe(type);
  });

  it.each([
    ["logo", "logo"],
    ["<logo@example.com>", "logo@example.com"],
    ["a\r\nX-Evil: 1", "aX-Evil~3A~201"],
    ["lo go;(x)", "lo~20go~3B~28x~29"],
    ["cid:logo", "logo"],
    ["<cid:größe.png>", "gr~C3~B6~C3~9Fe.png"],
    ["team%20logo", "team~20logo"],
    ["100%", "100~25"],
    ["a~20b", "a~7E20b"],
  ])("stores the content id %j as %j", (content_id, stored) => {
    expect(read({ content_id })?.contentId).toBe(stored);
  });

  it("stores a content id of up to 800 characters, as encoded", () => {
    const longest = `${"ü".repeat(133)}ab`;
    expect(read({ content_id: longest })?.contentId).toHaveLength(800);
    expect(() => read({ content_id: `${longest}c` })).toThrow("is longer than 250 characters");
  });

  it("stores an attachment without a content id as not inline", () => {
    expect(read({})?.contentId).toBeNull();
  });
});
