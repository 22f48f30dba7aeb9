// Tests bounces without a machine-readable part (contract.md §Bounce reports): which recipient they
// concern, and how they differ from other mail of mail daemons.
import { describe, expect, it } from "vitest";
import { fixture, outcomeOf } from "./reading.ts";

const GONE = "permanent InvalidRecipient 550 suppressed";

/** Makes a notice with these lines, which a `|` separates. */
function notice(
  lines: string,
  {
    from = "MAILER-DAEMON@mx.example.com",
    subject = "failure notice",
    fields = [] as string[],
  } = {},
): string {
  const header = [`From: ${from}`, `Subject: ${subject}`, ...fields];
  return [...header, "", "Your message could not be delivered.", "", ...lines.split("|"), ""].join(
    "\r\n",
  );
}

describe("the address that a notice is about", () => {
  it.each([
    "<ann@example.com>:|550 5.1.1 User unknown",
    "Recipient: [SMTP:Ann@Example.com]|Reason: 550 5.1.1 User unknown",
    "* 'ann@example.com' - 550 5.1.1 User unknown",
    "We tried to reach ann@example.com. The answer was 550 5.1.1 User unknown.",
    "From: hello@shop.example|To: ann@example.com||ann@example.com: 550 5.1.1 User unknown",
    "hello@shop.example wrote to ann@example.com: 550 5.1.1 User unknown",
    "550 5.1.1 <ann@example.com>... User unknown",
    "收件人：ann@example.com|退信原因：550 5.1.1 User not found",
    "收件人（ann@example.com）不存在：550 5.1.1 User not found",
  ])("is the recipient's: %s", (lines) => {
    expect(outcomeOf(notice(lines))).toBe(GONE);
  });

  it.each([
    "Mail to ann@example.com went on.||<bob@elsewhere.example.net>:|550 5.1.1 User unknown",
    "<bob@elsewhere.example.net> (forwarded from <ann@example.com>):|550 5.1.1 User unknown",
    "<anne@example.com>:|550 5.1.1 User unknown",
    "We could not reach anne@example.com: 550 5.1.1 User unknown",
    "550 5.1.1 <bob@elsewhere.example.net>... User unknown",
  ])("is not the recipient's: %s", (lines) => {
    expect(outcomeOf(notice(lines))).toBe("nothing");
  });

  it.each([
    "To: ann@example.com|550 5.1.1 User unknown",
    "550 5.1.1 User unknown",
    "ann    550 5.1.1 User unknown||Try ann.smith@example.com instead.",
    "550 5.1.1 User unknown|Write to help@example.com or postmaster@mx.example.com.",
    "ann@mail.example.com: 550 5.1.1 User unknown",
  ])(
    "is the return-path's, without a suppression, when a mail server names no other: %s",
    (lines) => {
      expect(outcomeOf(notice(lines))).toBe("permanent InvalidRecipient 550");
      const colleague = { from: "Ann's colleague <bob@example.com>", subject: "Hello" };
      expect(outcomeOf(notice(lines, colleague))).toBe("nothing");
    },
  );

  it("is the one in X-Failed-Recipients, if any", () => {
    const lines = "<ann@example.com>:|550 5.1.1 User unknown";
    const failed = (addresses: string) => ({ fields: [`X-Failed-Recipients: ${addresses}`] });
    expect(outcomeOf(notice(lines, failed("bob@example.com, ann@example.com")))).toBe(GONE);
    expect(outcomeOf(notice(lines, failed("bob@example.com")))).toBe("nothing");
    expect(outcomeOf(notice("550 5.1.1 User unknown", failed("ann@example.com")))).toBe(GONE);
  });

  it("is judged by its own text, not its neighbour's", () => {
    const lines =
      "<bob@example.com>:|550 5.1.1 User unknown||<ann@example.com>:|552 5.2.2 Mailbox full||" +
      "<cid@example.com>:|550 no";
    const text = notice(lines);
    expect(outcomeOf(text)).toBe("permanent QuotaIssues 552");
    expect(outcomeOf(text, "bob@example.com")).toBe(GONE);
  });

  it("may be the sender's or a postmaster's, if that is the recipient's", () => {
    for (const one of ["hello@shop.example", "support@example.com", "postmaster@example.com"])
      expect(outcomeOf(notice(`<${one}>:|550 5.1.1 User unknown`), one)).toBe(GONE);
  });
});

describe("mail of a mail daemon that is not a bounce", () => {
  const lines = "<ann@example.com>:|550 5.1.1 User unknown";

  it.each(
    (
      "It will be retried for 3 days.|The server will keep trying.|" +
      "This is a warning only.|Delivery has been delayed.|You do not need to resend it.|" +
      "Die Zustellung wird verzögert.|" +
      "Your message has been successfully relayed to the following recipients.|" +
      "Your message was delivered to the following recipients.|" +
      "It is being held until you confirm that you are human.|" +
      "Please click here to verify your address."
    ).split("|"),
  )("is a delay, a success or a challenge: %s", (words) => {
    expect(outcomeOf(notice(`${lines}||${words}`))).toBe("nothing");
  });

  it.each(
    (
      "Warning: message 1abc not delivered yet|Delivery Status Notification (Delay)|" +
      "Delayed mail|Delivery Status Notification (Success)|" +
      "Successful Mail Delivery Report|Delivered: failure notice|Automatic reply: Hi|" +
      "Re: failure notice"
    ).split("|"),
  )("is recognised by its subject: %s", (subject) => {
    expect(outcomeOf(notice(lines, { subject }))).toBe("nothing");
  });

  it("is an answer of the recipient, whatever it quotes", () => {
    const text = fixture("qmail-remote");
    expect(
      outcomeOf(
        text.replace(
          "From: MAILER-DAEMON@mx.example.com",
          "From: =?utf-8?Q?Ann?= <Ann@example.com>",
        ),
      ),
    ).toBe("nothing");
    expect(
      outcomeOf(text.replace("From: MAILER-DAEMON@mx.example.com", "From: Ann <bob@example.com>")),
    ).toBe(GONE);
  });

  it("is a read receipt", () => {
    const receipt = notice(
      `--x||${lines}|--x|Content-Type: message/disposition-notification||Disposition: x; deleted|--x--`,
      {
        fields: [
          "Content-Type: multipart/report; report-type=disposition-notification; boundary=x",
        ],
      },
    );
    expect(outcomeOf(receipt)).toBe("nothing");
    expect(outcomeOf(receipt.replace("message/disposition-notification", "message/rfc822"))).toBe(
      GONE,
    );
  });
});

describe("a report whose boundary parameter is lost", () => {
  it("is read by the first line that looks like a boundary", () => {
    for (const name of ["dsn-base64", "dsn-quoted-printable"])
      for (const boundary of ["", "; boundary=other"])
        expect(
          outcomeOf(fixture(name).replace(/;\r\n\tboundary="[^"]*"/, boundary)),
          name + boundary,
        ).toBe(GONE);
  });
});
