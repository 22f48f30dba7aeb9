// Tests how reports at return-paths are read (contract.md §Bounce reports): those of
// vectors/reports.json, in the formats of many mail servers, and reports with common defects.
import { describe, expect, it } from "vitest";
import vectors from "../../../../vectors/reports.json" with { type: "json" };
import { FIXTURES, fixture, outcomeOf, readAs } from "./reading.ts";

const table = vectors.reports.map((one) => ({
  ...one,
  name: one.file.replace(/^reports\/|\.eml$/g, ""),
}));

describe("the table of reports", () => {
  it("is long enough, and names every file once", () => {
    expect(table.length).toBeGreaterThan(90);
    expect(table.map(({ name }) => name).sort()).toEqual([...FIXTURES.keys()].sort());
  });

  it.each(table)(
    "is read as the vector says, whatever its line ends: $file",
    ({ name, statuses, verdict }) => {
      for (const end of ["\r\n", "\n", "\r"])
        expect(readAs(fixture(name).replaceAll("\r\n", end))).toEqual({ statuses, verdict });
    },
  );

  it("has no verdict for other recipients, except complaints and bounces that name no address", () => {
    const strangers = [
      "zoe@elsewhere.example.org",
      "zoe@example.com",
      "hello@shop.example",
      "a@example.com",
    ];
    const named = table.filter(({ name }) => !/nobody-named|not-named/.test(name));
    const wrong = strangers.flatMap((stranger) =>
      named
        .map(({ name }) => `${name}: ${outcomeOf(fixture(name), stranger)}`)
        .filter((line) => !/: (?:nothing|complaint .*)$/.test(line)),
    );
    expect(wrong).toEqual([]);
  });

  it("suppresses no address for a forwarding hop, an answer or a delay", () => {
    const harmless = table.filter(({ name }) =>
      /forwarded(?!-as)|delay|warning|answer|vacation|challenge|ticket|receipt|left-the/.test(name),
    );
    expect(harmless.length).toBeGreaterThan(15);
    expect(harmless.filter(({ verdict }) => verdict !== null)).toEqual([]);
  });
});

const BOUNCE = (words: string, charset: string, encoding = "8bit") =>
  "From: MAILER-DAEMON@mx.example.com\r\nSubject: failure notice\r\nContent-Type: " +
  `text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nYour ` +
  `message could not be delivered.\r\n\r\n<ann@example.com>:\r\n550 ${words}\r\n`;

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the text of a report", () => {
  it.each([
    ["iso-8859-1", latin1(BOUNCE("Empf\u00e4nger unbekannt", "iso-8859-1"))],
    ["a charset that nobody knows", latin1(BOUNCE("Empf\u00e4nger unbekannt", "x-none"))],
    ["no charset, in UTF-8", new TextEncoder().encode(BOUNCE("Empfänger unbekannt", "us-ascii"))],
    ["no charset, in Windows-1252", latin1(BOUNCE("Empf\u00e4nger unbekannt", "us-ascii"))],
    [
      "koi8-r",
      latin1(
        BOUNCE(
          "\u00d0\u00cf\u00cc\u00d8\u00da\u00cf\u00d7\u00c1\u00d4\u00c5\u00cc\u00d8 " +
            "\u00ce\u00c5 \u00ce\u00c1\u00ca\u00c4\u00c5\u00ce",
          "koi8-r",
        ),
      ),
    ],
    [
      "quoted-printable",
      latin1(BOUNCE("Empf=C3=A4nger un=\r\nbekannt", "utf-8", "quoted-printable")),
    ],
  ])("is decoded from %s", (_, raw) => {
    expect(outcomeOf(raw)).toBe("permanent InvalidRecipient 550 suppressed");
  });

  it("is decoded from base64", () => {
    const words = btoa(
      "I'm sorry to have to inform you that it failed.\r\n\r\n<ann@example.com>: 550 5.1.1 " +
        "User unknown\r\n",
    );
    expect(
      outcomeOf(`From: x@y.example\r\nContent-Transfer-Encoding: base64\r\n\r\n${words}\r\n`),
    ).toBe("permanent InvalidRecipient 550 suppressed");
  });

  it("may precede the address", () => {
    const text = (words: string) =>
      `From: postmaster@mx.example.com\r\nSubject: Undeliverable\r\n\r\n${words}\r\n`;
    expect(
      outcomeOf(
        text("The error was: 550 5.1.1 User unknown\r\n\r\nRecipient:\r\n  ann@example.com"),
      ),
    ).toBe("permanent InvalidRecipient 550 suppressed");
  });

  it("never includes the copy of the message", () => {
    const copy = "----- Original message -----\r\n\r\n<ann@example.com>: 550 5.1.1 User unknown";
    expect(
      outcomeOf(
        "From: MAILER-DAEMON@mx.example.com\r\nSubject: failure notice\r\n\r\nIt " +
          `failed.\r\n\r\n${copy}\r\n`,
      ),
    ).toBe("transient Uncategorized -");
  });
});

describe("a receipt of a filter's refusal", () => {
  const receipt = (disposition: string, words: string) =>
    [
      "From: Mail Delivery Subsystem <postmaster@example.com>",
      "Subject: Automatically rejected mail",
      "Content-Type: multipart/report; report-type=disposition-notification; boundary=x",
      "",
      "--x",
      "",
      `Your message to <ann@example.com> was automatically rejected: ${words}`,
      "--x",
      "Content-Type: message/disposition-notification",
      "",
      "Final-Recipient: rfc822; ann@example.com",
      `Disposition: ${disposition}`,
      "--x--",
      "",
    ].join("\r\n");

  it("is a bounce without a suppression, whatever it says about the mailbox", () => {
    expect(
      outcomeOf(
        receipt("automatic-action/MDN-sent-automatically; deleted", "550 5.1.1 User unknown"),
      ),
    ).toBe("permanent InvalidRecipient 550");
  });

  it("is ignored when the message was displayed, or deleted by its reader", () => {
    expect(outcomeOf(receipt("manual-action/MDN-sent-manually; deleted", "no"))).toBe("nothing");
    expect(outcomeOf(receipt("automatic-action/MDN-sent-automatically; displayed", "no"))).toBe(
      "nothing",
    );
  });
});

describe("mail that is not a report", () => {
  it.each([
    ["nothing at all", ""],
    ["a header alone", "Subject: failure notice\r\n"],
    ["a body alone", "\r\n\r\nhello\r\n"],
    ["octets", "\u0000\u0001\u0002"],
    ["a multipart without parts", "Content-Type: multipart/report; boundary=x\r\n\r\n--x--\r\n"],
    [
      "an empty status",
      "Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: " +
        "message/delivery-status\r\n\r\n--x--\r\n",
    ],
    [
      "an empty feedback report",
      "Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: " +
        "message/feedback-report\r\n\r\n--x--\r\n",
    ],
  ])("is ignored: %s", (_, raw) => {
    expect(outcomeOf(raw)).toBe("nothing");
  });

  it("includes a bounce text that a person wrote", () => {
    const words =
      "I am sorry, your message could not be delivered to ann@example.com: 550 5.1.1 User unknown.";
    expect(outcomeOf(`From: Bob <bob@example.com>\r\nSubject: Your mail\r\n\r\n${words}\r\n`)).toBe(
      "nothing",
    );
    expect(
      outcomeOf(
        "From: Mail Delivery System <MAILER-DAEMON@example.com>\r\nSubject: Your " +
          `mail\r\n\r\n${words}\r\n`,
      ),
    ).toBe("permanent InvalidRecipient 550 suppressed");
  });

  it.each([
    "X-Autoreply: yes",
    "Precedence: auto_reply",
    "X-Autorespond: vacation",
    'Auto-Submitted: auto-replied; owner-email="a@b.example"',
  ])("includes mail with an auto-responder's header: %s", (field) => {
    const text = fixture("qmail-remote");
    expect(outcomeOf(text)).toMatch(/^permanent/);
    expect(outcomeOf(`${field}\r\n${text}`)).toBe("nothing");
  });

  it("does not include a bounce that repeats such a subject", () => {
    for (const subject of [
      "Verify your email",
      "Out of office hours",
      "Your delivery was delayed",
      "Re: challenge",
    ]) {
      const text = fixture("exchange-2003").replaceAll("Verify your email", subject);
      expect(outcomeOf(text), subject).toBe("permanent InvalidRecipient - suppressed");
    }
  });
});
