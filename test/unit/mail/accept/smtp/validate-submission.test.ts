// Tests how submitted messages are validated: which octets stay, which fields are removed and
// added, and what the service stores about them.
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { FROM, ID, NOW, OWNED, acceptMessage, WHOLE } from "./submissions.ts";

const UUID = ID.slice("email_".length);

describe("of a submitted message, validation keeps", () => {
  it("a whole good message, to the octet", () => {
    const message =
      `${WHOLE}X_Odd: kept\r\nX-Kept:   two  spaces \t\r\n\tand a fold\r\nContent-Type: ` +
      "text/plain; charset=utf-8\r\n\r\n. \xff\xfe\r\n..\r\n";
    expect(acceptMessage(message).content).toBe(message);
  });

  it("every body, to the octet", () => {
    const unit = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
    const body = fc
      .array(fc.string({ unit, maxLength: 60 }), { maxLength: 20 })
      .map((lines) => lines.map((line) => `${line.replace(/[\r\n]/g, "")}\r\n`).join(""));
    fc.assert(
      fc.property(body, (text) => {
        expect(acceptMessage(`${WHOLE}\r\n${text}`).content).toBe(`${WHOLE}\r\n${text}`);
      }),
    );
  });

  it("every header that is not dropped, in order, with repetitions", () => {
    const header =
      "List-Unsubscribe: <https://a.example/u>\r\nX-A: 1\r\nComments: a\r\nx-a: " +
      "2\r\nComments: b\r\nContent-Language: nl\r\nPrecedence: bulk\r\n";
    expect(acceptMessage(`${WHOLE}${header}\r\n`).content).toBe(`${WHOLE}${header}\r\n`);
  });

  it.each([
    `Bcc: secret@example.org`,
    `BCC: secret@example.org,\r\n secret@example.com`,
    "X-Service-Tags: secret",
    "X-Service-Unknown: secret",
    "X_Service.Tags: secret",
    "Received: from secret\r\n by secret",
    "Sender: secret@example.org",
    "Return-Receipt-To: secret@example.org",
    "X-Spam-Report: secret caf\xe9",
    "X-Spam_Score: secret",
    "Feedback-ID: secret",
    "X-SES-Configuration-Set: secret",
    `X-${"a".repeat(80)}: secret`,
  ])("nothing of the header %s", (line) => {
    expect(acceptMessage(`${line}\r\n${WHOLE}${line}\r\n\r\nbody\r\n`).content).toBe(
      `${WHOLE}\r\nbody\r\n`,
    );
  });

  it("a body without a line end, and a header without a body, and completes them", () => {
    expect(acceptMessage(`${WHOLE}\r\nbody`).content).toBe(`${WHOLE}\r\nbody\r\n`);
    expect(acceptMessage(WHOLE).content).toBe(`${WHOLE}\r\n`);
    expect(acceptMessage(`${WHOLE}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("every line, and ends it with CRLF before it is judged", () => {
    expect(acceptMessage(`${WHOLE}\r\na\nb\rc\0d`.replaceAll("\r\n", "\n")).content).toBe(
      `${WHOLE}\r\na\r\nb\r\ncd\r\n`,
    );
  });
});

describe("to a submitted message, validation adds", () => {
  it("a missing Message-ID and Date, before everything else", () => {
    const { message, content } = acceptMessage(`${FROM}\r\n\r\nbody\r\n`);
    expect(content).toBe(
      "Date: Fri, 02 Jan 2026 03:04:05 +0000\r\nMessage-ID: " +
        `<${UUID}@${OWNED}>\r\n${FROM}\r\n\r\nbody\r\n`,
    );
    expect(message.messageId).toBe(`<${UUID}@${OWNED}>`);
  });

  it.each([
    ["<a@b.example>", "<a@b.example>"],
    ["<a_b@c.example>", "<a_b@c.example>"],
    ["<ABC$1.2@[192.0.2.1]>", "<ABC$1.2@[192.0.2.1]>"],
    ["\r\n <a@b.example>", "<a@b.example>"],
  ])("no second Message-ID beside %j", (given, id) => {
    const { message, content } = acceptMessage(`Message-ID: ${given}\r\n${FROM}\r\n\r\n`);
    expect(message.messageId).toBe(id);
    expect(content.match(/message-id/gi)).toHaveLength(1);
  });

  it.each([
    "",
    "a@b.example",
    "<a b@c.example>",
    "<a>",
    "<@>",
    "<a@b> <c@d>",
    "<a@b> (comment)",
    `<${"a".repeat(900)}@b.example>`,
    "<é@b.example>",
  ])("a Message-ID in place of the invalid %j", (id) => {
    const { message, content } = acceptMessage(`Message-ID: ${id}\r\nDate:\r\n${FROM}\r\n\r\n`);
    expect(message.messageId).toBe(`<${UUID}@${OWNED}>`);
    expect(content).toBe(
      `Date: Fri, 02 Jan 2026 03:04:05 +0000\r\nMessage-ID: <${UUID}@${OWNED}>\r\n${FROM}\r\n\r\n`,
    );
  });
});

describe("of a submitted message, the service stores", () => {
  it("the same members as of an HTTP send", () => {
    const { message } = acceptMessage(
      [
        `Message-ID: <1@${OWNED}>`,
        `From: =?utf-8?Q?Zo=C3=AB?= <Zoe@${OWNED}>`,
        `To: "Ann, A." <ann@Example.ORG>, nonsense, Team: bob@example.org;`,
        "Cc: (x) carl@example.org (y (z)), =?utf-8?Q?D=C3=A9?= <d@example.org>",
        "Reply-To: reply@example.org",
        "Subject: =?utf-8?Q?Hi_=C3=A9?=\r\n =?utf-8?Q?t=C3=A9?=",
        "X-Campaign-Id: 42",
        "X-Folded: a\r\n\tb",
        "X-Service-Tags: b, a,b,",
        "X-Service-Tags: c",
        "X-Service-Topic: news.weekly",
        "X-Service-Campaign: spring",
        "X-Service-IP-Pool: receipts",
        "X-Service-Priority: High",
        "",
        "",
      ].join("\r\n"),
      "ann@Example.ORG BOB@example.org bob@example.org x@localhost hidden@example.org".split(" "),
    );
    expect(message).toEqual({
      id: ID,
      teamId: "team_x",
      acceptedAt: NOW,
      source: "raw",
      from: { email: `Zoe@${OWNED}`, name: "Zoë" },
      fromDomain: OWNED,
      domainId: "domain_x",
      to: [
        { email: "ann@example.org", name: "Ann, A." },
        { email: "bob@example.org", name: null },
      ],
      cc: [
        { email: "carl@example.org", name: null },
        { email: "d@example.org", name: "Dé" },
      ],
      replyTo: [{ email: "reply@example.org", name: null }],
      recipients: ["ann@example.org", "BOB@example.org", "x@localhost", "hidden@example.org"],
      subject: "Hi été",
      messageId: `<1@${OWNED}>`,
      headers: [
        ["X-Campaign-Id", "42"],
        ["X-Folded", "a b"],
      ],
      tags: ["b", "a", "c"],
      topic: "news.weekly",
      campaign: "spring",
      templateId: null,
      ipPool: "receipts",
      priority: "high",
    });
  });

  it.each([
    ["", ""],
    ["Subject:\r\n", ""],
    ["Subject: caf\xc3\xa9\r\n", "café"],
    ["Subject: =?x-none?Q?a?=\r\n", "=?x-none?Q?a?="],
    ["Subject: =?utf-8?Q?a=0D=0AFrom:_x?=\r\n", "aFrom: x"],
    ["Subject: a\r\n  b\r\n", "a  b"],
  ])("the subject of %j as %j", (header, subject) => {
    expect(acceptMessage(`${FROM}\r\n${header}\r\n`).message.subject).toBe(subject);
  });
});
