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
    const strangers = ["zoe@elsewhere.example.org", "zoe@example.com", "hello@shop.example"];
    for (const { name } of table.filter((one) => !/nobody-named|not-named/.test(one.name)))
      for (const stranger of strangers)
        expect(outcomeOf(fixture(name), stranger), name).toMatch(/^(?:nothing|complaint .*)$/);
  });

  it("suppresses no address for a forwarding hop, an answer or a delay", () => {
    const harmless = table.filter(({ name }) =>
      /forwarded(?!-as)|delay|warning|answer|vacation|challenge|ticket|receipt|left-the/.test(name),
    );
    expect(harmless.length).toBeGreaterThan(15);
    expect(harmless.filter(({ verdict }) => verdict !== null)).toEqual([]);
  });
});

const UNKNOWN = "Empf\u00e4nger unbekannt";
const GONE = "permanent InvalidRecipient 550 suppressed";
const BOUNCE = (words: string, charset: string, encoding = "8bit") =>
  "From: MAILER-DAEMON@mx.example.com\r\nSubject: failure notice\r\nContent-Type: " +
  `text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nYour ` +
  `message could not be delivered.\r\n\r\n<ann@example.com>:\r\n550 ${words}\r\n`;

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the text of a report", () => {
  it.each([
    ["iso-8859-1", latin1(BOUNCE(UNKNOWN, "iso-8859-1"))],
    ["an unknown charset", latin1(BOUNCE(UNKNOWN, "x-none"))],
    ["no charset, in UTF-8", new TextEncoder().encode(BOUNCE(UNKNOWN, "us-ascii"))],
    ["no charset, in Windows-1252", latin1(BOUNCE(UNKNOWN, "us-ascii"))],
    [
      "koi8-r",
      latin1(
        BOUNCE(
          "\xd0\xcf\xcc\xd8\xda\xcf\xd7\xc1\xd4\xc5\xcc\xd8 \xce\xc5 \xce\xc1\xca\xc4\xc5\xce",
          "koi8-r",
        ),
      ),
    ],
    [
      "quoted-printable",
      latin1(BOUNCE("Empf=C3=A4nger un=\r\nbekannt", "utf-8", "quoted-printable")),
    ],
  ])("is decoded from %s", (_, raw) => {
    expect(outcomeOf(raw)).toBe(GONE);
  });

  it("is decoded from base64", () => {
    const sorry = "I'm sorry to have to inform you that it failed.";
    const words = btoa(`${sorry}\r\n\r\n<ann@example.com>: 550 5.1.1 User unknown\r\n`);
    const header = "From: x@y.example\r\nContent-Transfer-Encoding: base64";
    expect(outcomeOf(`${header}\r\n\r\n${words}\r\n`)).toBe(GONE);
  });

  it("may precede the address", () => {
    const words = "The error was: 550 5.1.1 User unknown\r\n\r\nRecipient:\r\n  ann@example.com";
    const header = "From: postmaster@mx.example.com\r\nSubject: Undeliverable";
    expect(outcomeOf(`${header}\r\n\r\n${words}\r\n`)).toBe(GONE);
  });

  it("never includes the copy of the message", () => {
    const copy = "----- Original message -----\r\n\r\n<ann@example.com>: 550 5.1.1 User unknown";
    const header = "From: MAILER-DAEMON@mx.example.com\r\nSubject: failure notice";
    expect(outcomeOf(`${header}\r\n\r\nIt failed.\r\n\r\n${copy}\r\n`)).toBe(
      "transient Uncategorized -",
    );
  });
});

describe("a receipt of a filter's refusal", () => {
  const AUTOMATIC = "automatic-action/MDN-sent-automatically";
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
    const refused = receipt(`${AUTOMATIC}; deleted`, "550 5.1.1 User unknown");
    expect(outcomeOf(refused)).toBe("permanent InvalidRecipient 550");
  });

  it("is ignored when the message was displayed, or deleted by its reader", () => {
    expect(outcomeOf(receipt("manual-action/MDN-sent-manually; deleted", "no"))).toBe("nothing");
    expect(outcomeOf(receipt(`${AUTOMATIC}; displayed`, "no"))).toBe("nothing");
  });
});

describe("mail that is not a report", () => {
  const PARTS = "Content-Type: multipart/report; boundary=x\r\n\r\n";

  it.each([
    ["nothing at all", ""],
    ["a header alone", "Subject: failure notice\r\n"],
    ["a body alone", "\r\n\r\nhello\r\n"],
    ["control characters", "\u0000\u0001\u0002"],
    ["a multipart without parts", `${PARTS}--x--\r\n`],
    ["an empty status", `${PARTS}--x\r\nContent-Type: message/delivery-status\r\n\r\n--x--\r\n`],
    ["an empty feedback", `${PARTS}--x\r\nContent-Type: message/feedback-report\r\n\r\n--x--\r\n`],
  ])("is ignored: %s", (_, raw) => {
    expect(outcomeOf(raw)).toBe("nothing");
  });

  it("includes a bounce text that a person wrote", () => {
    const words =
      "I am sorry, your message could not be delivered to ann@example.com: 550 5.1.1 User unknown.";
    const from = (sender: string) =>
      outcomeOf(`From: ${sender}\r\nSubject: Your mail\r\n\r\n${words}\r\n`);
    expect(from("Bob <bob@example.com>")).toBe("nothing");
    expect(from("Mail Delivery System <MAILER-DAEMON@example.com>")).toBe(GONE);
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

  it("does not include a bounce that repeats an automatic answer's subject", () => {
    const subjects =
      "Verify your email|Out of office hours|Your delivery was delayed|Re: challenge";
    for (const subject of subjects.split("|")) {
      const text = fixture("exchange-2003").replaceAll("Verify your email", subject);
      expect(outcomeOf(text), subject).toBe("permanent InvalidRecipient - suppressed");
    }
  });
});
