// Tests that composing a copy takes linear time, whatever the customer or the customer's program
// wrote. Runs in Node, because a Worker can't measure its processor time.
import { describe, it } from "vitest";
import { runToEnd } from "../../src/lib/step-scheduler.ts";
import { newEmailId } from "../../src/lib/ids.ts";
import { surveyHtml } from "../../src/mail/compose/html-survey.ts";
import { withAsciiHeaders } from "../../src/mail/compose/raw-ascii.ts";
import { withShortLines } from "../../src/mail/compose/raw-lines.ts";
import { withSevenBitParts } from "../../src/mail/compose/raw-seven-bit.ts";
import { type CopyTracking, trackHtml } from "../../src/mail/compose/track.ts";
import { withListUnsubscribe } from "../../src/mail/compose/unsubscribe-headers.ts";
import { expectLinear } from "../support/processor-time.ts";

const flood = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

describe("a message of hostile structure", () => {
  const long = "0123456789 ".repeat(150).trim();
  const mixed = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
  const level = (index: number) =>
    `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`;

  it.each<[string, number, (count: number) => string]>([
    [
      "10,000 levels",
      10_000,
      (count) => Array.from({ length: count }, (_, index) => level(index)).join(""),
    ],
    ["100,000 parts", 100_000, (count) => mixed + "--b\r\n\r\n\r\n".repeat(count)],
    ["boundaries without line ends", 300_000, (count) => mixed + "--b".repeat(count)],
    [
      "messages in messages",
      20_000,
      (count) => "Content-Type: message/rfc822\r\n\r\n".repeat(count),
    ],
    ["one boundary on every level", 20_000, (count) => `${mixed}--b\r\n`.repeat(count)],
    ["a header of a megabyte", 300_000, (count) => `Content-Type:${" a;".repeat(count)}\r\n\r\n`],
    [
      "semicolons and blanks",
      80_000,
      (count) => `Content-Type: multipart/mixed${";  boundary ".repeat(count)}\r\n\r\n`,
    ],
    [
      "a part's header of a megabyte",
      300_000,
      (count) => `${mixed}--b\r\n${"A: b\r\n".repeat(count / 6)}`,
    ],
    [
      "a part's header of folded lines",
      300_000,
      (count) => `${mixed}--b\r\nContent-X: a${"\r\n b".repeat(count / 4)}\r\n\r\n`,
    ],
    [
      "content fields",
      300_000,
      (count) => `${mixed}--b\r\n${"Content-A: b\r\n".repeat(count / 14)}\r\n\r\n`,
    ],
    [
      "base64 with other characters in it",
      250_000,
      (count) => `Content-Transfer-Encoding: base64\r\n\r\n${"A-".repeat(count / 2)}`,
    ],
    ["empty lines", 250_000, (count) => `\r\n${"\r\n".repeat(count / 2)}`],
    [
      "a quote without an end",
      400_000,
      (count) => `Content-Type: multipart/mixed; boundary="${"\\a".repeat(count)}\r\n\r\n`,
    ],
  ])("gets short lines in linear time: %s", async (_, largest, structureOf) => {
    await expectLinear(largest, (count) => {
      const raw = Buffer.from(
        `From: news@example.com\r\nSubject: x\r\n${structureOf(count)}${long}\r\n${long}\r\n`,
        "latin1",
      );
      return () => runToEnd(withShortLines(new Uint8Array(raw)));
    });
  });

  it.each<[string, (count: number) => string]>([
    ["8-bit octets", (count) => `\r\n${"\xe9".repeat(count)}`],
    [
      "8-bit octets in quoted-printable",
      (count) => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${"=\xe9".repeat(count / 2)}`,
    ],
    ["8-bit parts", (count) => mixed + "--b\r\n\r\n\xe9\r\n".repeat(count / 8)],
    [
      "8-bit text between parts",
      (count) => mixed + "--b\r\n\r\n\r\n--b--\r\n" + "\xe9\r\n".repeat(count / 3),
    ],
    [
      "messages that claim to be 8-bit",
      (count) =>
        mixed +
        "--b\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\xe9\r\n".repeat(
          count / 80,
        ),
    ],
  ])("becomes 7-bit in linear time: %s", async (_, structureOf) => {
    await expectLinear(400_000, (count) => {
      const raw = Buffer.from(`From: news@example.com\r\n${structureOf(count)}\r\n`, "latin1");
      return () => runToEnd(withSevenBitParts(new Uint8Array(raw)));
    });
  });
});

describe("a hostile header", () => {
  it.each([
    ["To", '"', 60_001],
    ["To", "(", 60_000],
    ["To", "<", 60_000],
    ["To", ":;,", 240_000],
    ["Content-Type", ';"', 60_000],
    ["X", "é ", 120_000],
  ])("is rewritten in ASCII in linear time: %s of %j", async (name, piece, largest) => {
    await expectLinear(largest, (size) => {
      const raw = Buffer.from(`${name}: é${flood(piece, size)}\r\n\r\n`);
      return () => runToEnd(withAsciiHeaders(new Uint8Array(raw)));
    });
  });
});

describe("a caller's List-Unsubscribe", () => {
  it.each([" ", "(", "<", "a@", ".", ",", '"', "&lt;", "mailto:a?", "<mailto:a@b.c?x=", "https:,"])(
    "of 8,192 characters is read in linear time: %j",
    async (piece) => {
      await expectLinear(8_000, (size) => {
        const run = flood(piece, size);
        const values = [
          run,
          `a@${run}:`,
          `<${run}x`,
          `<mailto:a@b.example?${run}x`,
          `https:${run}x`,
        ];
        return () =>
          values.map((value) => withListUnsubscribe([["List-Unsubscribe", value]], null));
      });
    },
  );
});

describe("HTML with placeholders", () => {
  const mark = "unsubscribe-0123456789";

  it.each([
    mark,
    `a=${mark} `,
    `<a href="${mark}">`,
    `<p>${mark}`,
    `<!--${mark}-->`,
    `</${mark}>`,
    `<p a=b c=${mark}>`,
  ])("is surveyed in linear time: %s", async (part) => {
    await expectLinear(250_000, (size) => {
      const html = `<p ${flood(part, size)}`;
      return () => runToEnd(surveyHtml(html, mark));
    });
  });
});

describe("tracked HTML", () => {
  const copy = {
    teamNumber: 77,
    releaseDay: 19_675,
    emailId: newEmailId(1_700_000_000_000),
    recipientIndex: 2,
  };
  const tracking: CopyTracking = {
    opens: true,
    clicks: true,
    host: "links.shop.example",
    copy,
    signingKey: "a signing key of more than 32 characters",
    publicUrl: "https://postern.example",
  };

  it.each([
    '<a href="https://a.example/">',
    "<a ",
    "<a href=",
    '<a href="',
    "<!--",
    "<",
    "<a<",
    "</body>",
    "<style>",
    "<style></style>",
    "&amp;",
    "<div>",
    '<a href="https://a.example/&#',
    "<a x=y ",
    "{{",
    "<p a='",
  ])("costs linear time: %s", async (part) => {
    await expectLinear(250_000, (size) => {
      const html = flood(part, size);
      return () => trackHtml(html, tracking, { targets: [] });
    });
  });
});
