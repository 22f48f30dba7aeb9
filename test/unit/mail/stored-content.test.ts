// Tests the stored form of a send's content: text if the content is small and has no attachments,
// and bytes if not. Reading it back gives the same content.
import { describe, expect, it } from "vitest";
import type { MessageContent } from "../../../src/mail/message.ts";
import { decodeContent, encodeContent } from "../../../src/mail/stored-content.ts";

const SMALL = 96 * 1024;

function content(changes: Partial<MessageContent> = {}): MessageContent {
  return { text: "Hello", html: null, attachments: [], ...changes };
}

function attachment(bytes: number[] | Uint8Array, filename = "a.bin") {
  return { filename, contentType: "text/plain", contentId: null, content: Uint8Array.from(bytes) };
}

/** Number of bytes that a text may have so that the content's JSON has SMALL bytes. */
const ROOM = SMALL - JSON.stringify(content({ text: "" })).length;

describe("stored content", () => {
  it.each<[string, Partial<MessageContent>]>([
    ["text", {}],
    ["HTML", { text: null, html: "<p>\n\u0000\u2028\ud800</p>" }],
    ["an attachment", { attachments: [attachment([0, 10, 255])] }],
    ["an attachment alone, and empty", { text: null, attachments: [attachment([])] }],
    [
      "attachments with line feeds in text and names",
      {
        html: "a\nb",
        attachments: [
          attachment([10, 10], "\n"),
          { ...attachment([]), contentId: "logo" },
          attachment(new Uint8Array(2_000).fill(10), "\u65e5\u672c.pdf"),
        ],
      },
    ],
    ["large text", { text: "\u65e5\u672c\n".repeat(50_000) }],
  ])("is read as it was written: %s", (_, changes) => {
    const read = decodeContent(encodeContent(content(changes)));
    expect(read).toEqual(
      JSON.parse(JSON.stringify(content(changes)), (name, value: unknown) =>
        name === "attachments" ? (changes.attachments ?? []) : value,
      ),
    );
  });

  it.each([
    ["text", "ASCII", "string", "x".repeat(ROOM)],
    ["bytes", "ASCII", "object", "x".repeat(ROOM + 1)],
    ["text", "UTF-8", "string", "\u00e9".repeat(Math.floor(ROOM / 2))],
    ["bytes", "UTF-8", "object", "\u00e9".repeat(Math.floor(ROOM / 2) + 1)],
  ])("is text up to 96 KB, and bytes beyond: %s for %s", (_, _encoding, type, text) => {
    expect(typeof encodeContent(content({ text }))).toBe(type);
  });

  it("has its attachments as they are, behind its JSON", () => {
    const attachments = [attachment([1, 2, 3]), attachment([4])];
    const stored = encodeContent(content({ attachments })) as Uint8Array;
    expect(Array.from(stored.slice(-5))).toEqual([10, 1, 2, 3, 4]);
    expect(stored.buffer.byteLength).toBe(stored.length);
  });

  it("is read from a part of a buffer too", () => {
    const stored = encodeContent(content({ attachments: [attachment([1, 2])] })) as Uint8Array;
    const within = new Uint8Array(stored.length + 20);
    within.set(stored, 10);
    const read = decodeContent(within.subarray(10, 10 + stored.length));
    expect(Array.from(read.attachments[0]!.content)).toEqual([1, 2]);
  });
});
