// Tests that reading foreign servers' replies and reports takes linear time, whatever they contain.
// Runs in Node, because a Worker can't measure its processor time.
import { describe, it } from "vitest";
import type { BounceRule } from "../../src/classify/bounce-class.ts";
import { WORDING_RULES } from "../../src/classify/wording-rules.ts";
import { classify } from "../../src/classify/classify.ts";
import { readLoopReport } from "../../src/mail/feedback/loop-report.ts";
import { bounceOf, readQuotedReply } from "../../src/mail/feedback/quoted-reply.ts";
import { expectBounded, expectLinear } from "../support/processor-time.ts";
import { outcomeOf } from "../unit/mail/feedback/reading.ts";

const BYTES = 256 * 1024;

const flood = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

describe("hostile replies", () => {
  const patterns = WORDING_RULES.flatMap((rule: BounceRule) => rule.says);
  const hostile = [
    "a",
    " ",
    "@",
    "<@>: ",
    "5.1.1 ",
    "user ",
    "attachment ",
    "recipient address rejected ",
    "sender address ",
    "your ip a ",
    "account @ ",
    "domain x ",
    "name server: ",
    "no such ",
    "recipient not in the ",
    "account is not ",
    "from_the_relay-host ",
    "message size exceed ",
    "\u0000",
    "ß",
    "550-",
  ];

  it.each(hostile)("take linear time in every pattern, even at full length: %j", async (part) => {
    await expectLinear(64 * 1024, (size) => {
      const text = flood(part, size);
      return () => patterns.filter((pattern) => pattern.test(text));
    });
  });

  it.each(hostile)("take bounded time, however long they are: %j", async (part) => {
    await expectBounded(1024 * 1024, (size) => {
      const text = whole(flood(part, size));
      return () => classify({ code: 550, enhanced: null, text, stage: "rcpt" });
    });
  });
});

describe("a quoted reply", () => {
  it.each([
    ["", "550-5.1.1 ", 50_000],
    ["", "550 ", 20_000],
    ["550-", "ü ", 16_000],
  ])("of %j and many %j is read in linear time", async (start, piece, largest) => {
    await expectLinear(largest, (size) => {
      const words = start + flood(piece, size);
      return () => bounceOf(readQuotedReply(words));
    });
  });
});

describe("hostile reports", () => {
  const head = "From: MAILER-DAEMON@mx.example.com\r\nSubject: failure notice\r\n";
  const report = 'Content-Type: multipart/report; boundary="x"\r\n\r\n';
  const status = `${head}${report}--x\r\nContent-Type: message/delivery-status\r\n\r\n`;
  const text = `${head}\r\nHi. This is the qmail-send program\r\n`;
  const html = `${head}Content-Type: text/html\r\n\r\n<p>Hi. This is the qmail-send program</p>`;

  it.each<[string, string, string, number?]>([
    ["empty parts", head + report, "--x\r\n\r\n"],
    ["parts in parts", head, 'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n'],
    [
      "messages in messages",
      head + report,
      "--x\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/report; " +
        "boundary=x\r\n\r\n",
    ],
    ["header fields", "", "a: b\r\n"],
    ["one long header field", "Content-Type: multipart/mixed", '; a="'],
    ["one header field of many lines", "Subject: x\r\n", " =?utf-8?Q?\r\n"],
    ["spaces before a colon", "", " ".repeat(1_000)],
    ["recipients", status, "Final-Recipient: rfc822; a@example.com\r\nAction: failed\r\n\r\n"],
    [
      "recipients without a verdict",
      `${status}Final-Recipient: rfc822; ann@example.com\r\n\r\n`,
      "A: b\r\n\r\n",
      // The reader stops before this many lines. With more lines, the list becomes one of V8's
      // large objects, and its memory would cost more than the reading that is measured.
      32_768,
    ],
    [
      "a recipient of many fields",
      `${status}Final-Recipient: rfc822; ann@example.com\r\n`,
      "A: b\r\n",
    ],
    [
      "addresses that differ",
      status,
      "Final-Recipient: rfc822; a@b.c\r\nOriginal-Recipient: rfc822; a@b.c\r\n",
    ],
    [
      "codes",
      `${status}Final-Recipient: rfc822; ann@example.com\r\nAction: ` +
        "failed\r\nDiagnostic-Code: smtp; ",
      "550 5.1.1-",
    ],
    ["dots and digits", `${status}Status: `, "5.1.1."],
    ["parentheses", `${status}Final-Recipient: rfc822; `, "(("],
    ["addresses", text, "ann@example.com "],
    ["addresses of the sender", text, "hello@shop.example "],
    ["at signs", text, "@"],
    ["at signs and dots", text, "@."],
    ["labels", text, "a: "],
    ["lines with an address", text, "x@example.org\r\n"],
    ["empty lines", text, "\r\n"],
    ["white space", text, " \t"],
    ["dashes", text, "-"],
    [
      "words that nearly begin a bounce",
      head,
      "\r\nyour message to x konnte nicht a b c d e f g was not delivered to: ",
    ],
    [
      "words that nearly end one",
      head,
      "\r\nx.400 mts user error while attempting to could not be delivered for 5 failed to " +
        "warning ",
    ],
    ["the recipient's local part", text, "ann: "],
    [
      "addresses that another was made from",
      text,
      "x@example.org (expanded from ann@example.com) ",
    ],
    ["tags", html, "<p>"],
    ["half a tag", html, "<p "],
    ["entities", html, "&amp"],
    ["brackets", html, "<<"],
  ])("take linear time: %s", async (_, start, part, largest = BYTES) => {
    await expectLinear(largest, (size) => {
      const raw = new TextEncoder().encode((start + flood(part, size)).slice(0, size));
      return () => outcomeOf(raw);
    });
  });
});

describe("hostile reports of feedback loops", () => {
  const head =
    "Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n";

  it.each<[string, string, string, number?]>([
    ["tokens", `${head}Return-Path: `, `b+${"a".repeat(61)} `],
    ["what is nearly a token", `${head}Return-Path: `, "b+2b"],
    ["fields", head, "Return-Path: <b+a@bounces.x>\r\n"],
    // A longer field becomes one of V8's large objects, whose memory would cost more than the
    // reading that is measured.
    ["folded lines", `${head}A: b\r\n`, " b+aaaa\r\n", 65_536],
    ["parts", head, "\r\n--x\r\nContent-Type: message/rfc822\r\n\r\nA: b\r\n"],
  ])("take linear time: %s", async (_, start, part, largest = BYTES) => {
    await expectLinear(largest, (size) => {
      const raw = new TextEncoder().encode((start + flood(part, size)).slice(0, size));
      return () => readLoopReport(raw);
    });
  });
});

/** Makes one flat string of a concatenated one, so that the measured function need not do it. */
function whole(text: string): string {
  return Buffer.from(text).toString();
}
