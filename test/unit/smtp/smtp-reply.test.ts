// Tests how SMTP replies are read from a byte stream that may be cut anywhere
// (smtp-gateway/src/smtp/smtp-reply.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { foldReply, type Reply, ReplyReader } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";

/**
 * Returns the SMTP replies in a text. If the text becomes unreadable, the last element is the
 * reason.
 */
function read(text: string, cuts: readonly number[] = []): (Reply | string)[] {
  const bytes = new TextEncoder().encode(text);
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  const at = [0, ...places, bytes.length];
  const reader = new ReplyReader();
  const replies: (Reply | string)[] = [];
  for (let index = 1; index < at.length; index += 1) {
    const unreadable = reader.push(bytes.subarray(at[index - 1], at[index]), (reply) =>
      replies.push(reply),
    );
    if (unreadable !== null) return [...replies, unreadable];
  }
  return replies;
}

const WIRE =
  "220 hello\r\n250-relay.test\r\n250-AUTH PLAIN\r\n250\r\n550-5.1.1 no\n550 5.1.1 such user\r\n";

describe("a reply reader", () => {
  it("gives the same replies wherever the stream is cut", () => {
    const whole = read(WIRE);
    expect(whole).toEqual([
      { code: 220, lines: ["hello"] },
      { code: 250, lines: ["relay.test", "AUTH PLAIN", ""] },
      { code: 550, lines: ["5.1.1 no", "5.1.1 such user"] },
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
        expect(read(WIRE, cuts)).toEqual(whole);
      }),
    );
  });

  it.each(
    (
      "HTTP/1.1 400 Bad Request\r\n|25 ok\r\n|2500 ok\r\n|199 no\r\n|600 no\r\n|\r\n|" +
      "250 ok\r\nwhat?\r\n"
    ).split("|"),
  )("calls a line unreadable that is not a reply: %j", (text) =>
    expect(read(text).at(-1)).toBe("a line that is not an SMTP reply"),
  );

  it.each(["550 " + "x".repeat(70_000), "550-x\r\n".repeat(12_000)])(
    "calls a reply of more than 64 KB unreadable",
    (text) => expect(read(text)).toEqual(["a reply of more than 64 KB"]),
  );

  it("says whether a reply has begun and not ended", () => {
    const reader = new ReplyReader();
    const states = ["220 hello\r\n", "2", "50-a\r\n", "250 b\r\n"].map((piece) => {
      reader.push(new TextEncoder().encode(piece), () => undefined);
      return reader.midway;
    });
    expect(states).toEqual([false, true, true, false]);
  });
});

describe("a folded reply", () => {
  it.each([
    ["550 5.1.1 no such user\r\n", "5.1.1", "no such user"],
    ["550-5.7.1 first\r\n550-5.7.1  second\r\n550 third\r\n", "5.7.1", "first second third"],
    ["550-5.7.1 first\r\n550 4.7.1 other\r\n", "5.7.1", "first 4.7.1 other"],
    ["550 5.1.10 null MX\r\n", "5.1.10", "null MX"],
    ["550 5.1.1.1 is no code\r\n", null, "5.1.1.1 is no code"],
    ["250\r\n", null, ""],
    ["550 a\u0007b\tc\r\n", null, "a b c"],
    ["550 größer\r\n", null, "größer"],
  ])("is one line of text without the codes: %j", (wire, enhanced, text) => {
    const [reply] = read(wire);
    expect(typeof reply === "object" && foldReply(reply)).toEqual({ enhanced, text });
  });

  it("has at most 1 KB of whole characters", () => {
    const { text } = foldReply({ code: 550, lines: [`x${"\xc3\xa9".repeat(600)}`] });
    expect(new TextEncoder().encode(text).length).toBe(1_023);
    expect(text).toMatch(/^xé+$/);
  });
});
