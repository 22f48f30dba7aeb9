// Submitted messages: what is kept of them to the octet, what is taken out and added, what the
// service learns of them, and what is refused.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHeaderSection } from "../../../../src/mail/accept/smtp/header-section.ts";
import { errorsOf, ID, judge, NOW, octets, OWNED, taken, textOf } from "./submissions.ts";

const FROM = `From: Me <me@${OWNED}>`;
const WHOLE = `Message-ID: <1@${OWNED}>\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n${FROM}\r\nTo: ann@example.org\r\nSubject: Hi\r\n`;
const UUID = ID.slice("email_".length);

describe("what is kept", () => {
  it("is a whole message, to the octet", () => {
    const message = `${WHOLE}X_Odd: gone\r\nX-Kept:   two  spaces \t\r\n\tand a fold\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n. \xff\xfe\r\n..\r\n`;
    expect(taken(message).content).toBe(message.replace("X_Odd: gone\r\n", ""));
  });

  it("is every body, to the octet", () => {
    const body = fc
      .array(
        fc.string({
          unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
          maxLength: 60,
        }),
        {
          maxLength: 20,
        },
      )
      .map((lines) => lines.map((line) => `${line.replace(/[\r\n]/g, "")}\r\n`).join(""));
    fc.assert(
      fc.property(body, (text) => {
        expect(taken(`${WHOLE}\r\n${text}`).content).toBe(`${WHOLE}\r\n${text}`);
      }),
      { numRuns: 300 },
    );
  });

  it("is every header that is not dropped, in order, repetitions too", () => {
    const header =
      "List-Unsubscribe: <https://a.example/u>\r\nX-A: 1\r\nComments: a\r\nx-a: 2\r\nComments: b\r\nContent-Language: nl\r\nPrecedence: bulk\r\n";
    expect(taken(`${WHOLE}${header}\r\n`).content).toBe(`${WHOLE}${header}\r\n`);
  });

  it.each([
    `Bcc: secret@example.org`,
    `BCC: secret@example.org,\r\n secret@example.com`,
    "X-Service-Tags: secret",
    "X-Service-Unknown: secret",
    "Received: from secret\r\n by secret",
    "Sender: secret@example.org",
    "Return-Receipt-To: secret@example.org",
    "X-Spam-Report: secret caf\xe9",
    "Feedback-ID: secret",
    "X-SES-Configuration-Set: secret",
    `X-${"a".repeat(80)}: secret`,
  ])("is not %s", (line) => {
    expect(taken(`${line}\r\n${WHOLE}${line}\r\n\r\nbody\r\n`).content).toBe(
      `${WHOLE}\r\nbody\r\n`,
    );
  });

  it("is a body without a line end, and a header without a body, made whole", () => {
    expect(taken(`${WHOLE}\r\nbody`).content).toBe(`${WHOLE}\r\nbody\r\n`);
    expect(taken(WHOLE).content).toBe(`${WHOLE}\r\n`);
    expect(taken(`${WHOLE}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("is judged with the line ends that it goes out with", () => {
    expect(taken(`${WHOLE}\r\na\nb\rc\0d`.replaceAll("\r\n", "\n")).content).toBe(
      `${WHOLE}\r\na\r\nb\r\ncd\r\n`,
    );
  });
});

describe("what is added", () => {
  it("is a Message-ID and a Date where they are missing, before everything else", () => {
    const { message, content } = taken(`${FROM}\r\n\r\nbody\r\n`);
    expect(content).toBe(
      `Date: Fri, 02 Jan 2026 03:04:05 +0000\r\nMessage-ID: <${UUID}@${OWNED}>\r\n${FROM}\r\n\r\nbody\r\n`,
    );
    expect(message.messageId).toBe(`<${UUID}@${OWNED}>`);
  });

  it.each(["<a@b.example>", '<"a b"@c.example>'.replace(" ", "_"), "<ABC$1.2@[192.0.2.1]>"])(
    "is no Message-ID beside %s",
    (id) => {
      const { message, content } = taken(`Message-ID: ${id}\r\n${FROM}\r\n\r\n`);
      expect(message.messageId).toBe(id);
      expect(content.match(/message-id/gi)).toHaveLength(1);
    },
  );

  it("takes a folded Message-ID for what it is", () => {
    expect(taken(`Message-ID:\r\n <a@b.example>\r\n${FROM}\r\n\r\n`).message.messageId).toBe(
      "<a@b.example>",
    );
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
  ])("replaces the Message-ID %j", (id) => {
    const { message, content } = taken(`Message-ID: ${id}\r\nDate:\r\n${FROM}\r\n\r\n`);
    expect(message.messageId).toBe(`<${UUID}@${OWNED}>`);
    expect(content).toBe(
      `Date: Fri, 02 Jan 2026 03:04:05 +0000\r\nMessage-ID: <${UUID}@${OWNED}>\r\n${FROM}\r\n\r\n`,
    );
  });
});

describe("what the service learns", () => {
  it("is what an HTTP send would have told", () => {
    const { message } = taken(
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
        "",
        "",
      ].join("\r\n"),
      [
        "ann@Example.ORG",
        "BOB@example.org",
        "bob@example.org",
        "x@localhost",
        "hidden@example.org",
      ],
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
      recipients: ["ann@example.org", "BOB@example.org", "hidden@example.org"],
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
    });
  });

  it.each([
    ["", ""],
    ["Subject:\r\n", ""],
    ["Subject: caf\xc3\xa9\r\n", "café"],
    ["Subject: =?x-none?Q?a?=\r\n", "=?x-none?Q?a?="],
    ["Subject: =?utf-8?Q?a=0D=0AFrom:_x?=\r\n", "aFrom: x"],
    ["Subject: a\r\n  b\r\n", "a  b"],
  ])("of a subject %j is %j", (header, subject) => {
    expect(taken(`${FROM}\r\n${header}\r\n`).message.subject).toBe(subject);
  });
});

describe("what is refused", () => {
  it.each([
    [
      "a sender's name in Latin-1",
      `From: Zo\xeb <me@${OWNED}>\r\n`,
      { from: ["holds octets that are neither ASCII nor UTF-8"] },
    ],
    [
      "an option in Latin-1",
      `X-Service-Tags: caf\xe9\r\n${WHOLE}`,
      { "tags.0": ["must be 1 to 64 letters, digits, underscores or hyphens"] },
    ],
    [
      "1,001 headers",
      `${WHOLE}${"Received: x\r\n".repeat(996)}`,
      { headers: ["are more than 1000 fields"] },
    ],
    [
      "a header of more than 256 KB",
      `${WHOLE}${`Received: ${"x".repeat(900)}\r\n`.repeat(290)}`,
      { headers: ["are larger than 262144 bytes"] },
    ],
  ])("%s", (_, header, errors) => {
    expect(errorsOf(`${header}\r\nbody\r\n`)).toEqual(errors);
  });

  it("takes as many as the limits say", () => {
    expect(taken(`${WHOLE}${"X-A: b\r\n".repeat(25)}\r\n`).message.headers).toHaveLength(25);
    expect(judge(`${WHOLE}${"Received: x\r\n".repeat(995)}\r\n`).kind).toBe("taken");
    expect(judge(`${FROM}\r\nSubject: ${"\xc3\xa9 ".repeat(499)}\r\n\r\n`).kind).toBe("taken");
  });

  it.each([
    [
      "X-Service-Tags: a b",
      { "tags.0": ["must be 1 to 64 letters, digits, underscores or hyphens"] },
    ],
    [
      `X-Service-Tags: ${Array.from({ length: 11 }, (_, index) => `t${index}`).join(",")}`,
      { tags: ["has more than 10 different entries"] },
    ],
    [
      "X-Service-Topic: *",
      { topic: ["must be 1 to 64 lower-case letters, digits, underscores, dots or hyphens"] },
    ],
    [
      "X-Service-Topic:",
      { topic: ["must be 1 to 64 lower-case letters, digits, underscores, dots or hyphens"] },
    ],
    ["X-Service-Topic: a\r\nX-Service-Topic: a", { topic: ["is given more than once"] }],
    [
      "X-Service-Campaign: a b",
      { campaign: ["must be 1 to 64 letters, digits, underscores or hyphens"] },
    ],
    [
      "X-Service-IP-Pool: other",
      { ip_pool: ["is not an IP pool of this team: the team's pools are receipts"] },
    ],
    [
      "X-Service-Template-Id: a\r\nX-Service-Template-Id: a",
      { template_id: ["is given more than once"] },
    ],
    [
      'X-Service-Variables: {"a":1}\r\nX-Service-Variables: {}',
      { variables: ["is given more than once"] },
    ],
    [
      `X-Service-Variables: {"a":"${"x".repeat(65_536)}"}`,
      { variables: ["are 65544 bytes of JSON; at most 65536 are allowed"] },
    ],
    [
      'X-Service-Variables: {"a":{"b":{"c":{"d":{}}}}}',
      { "variables.a.b.c.d": ["is nested deeper than 4 levels"] },
    ],
    ["X-Service-Variables: {", { variables: ["is not valid JSON"] }],
    ["X-Service-Variables: []", { variables: ["must be an object"] }],
    [
      `X-Service-Variables: {"a":${"[".repeat(80)}${"]".repeat(80)}}`,
      { variables: ["is nested deeper than 64 levels"] },
    ],
    [
      "X-Service-Unsubscribe: generate",
      { topic: ["is required when unsubscribe.mode is generate"] },
    ],
    ["X-Service-Unsubscribe: maybe", { "unsubscribe.mode": ["must be one of: generate, none"] }],
    ["X-Service-Tracking: opens", { tracking: ["must be like opens=on; clicks=off"] }],
    [
      "X-Service-Tracking: opens=off; opens=off",
      { tracking: ["must be like opens=on; clicks=off"] },
    ],
    ["X-Service-Tracking: __proto__=off", { tracking: ["must be like opens=on; clicks=off"] }],
  ])("the option %s", (option, errors) => {
    expect(errorsOf(`${option}\r\n${WHOLE}\r\n`)).toEqual(errors);
  });

  it.each([
    "X-Service-Tags:",
    "X-Service-Tags: a, a",
    "X-Service-Tracking: OPENS=off ;clicks = Off;",
    "X-Service-Unsubscribe: None",
    "X-Service-Variables: {}",
    "X-Service-Variables: =?utf-8?Q?=7B=7D?=",
  ])("but not the option %s", (option) => {
    expect(taken(`${option}\r\n${WHOLE}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("options that are for the copies' links, and keeps them with the message", () => {
    const { message } = taken(
      `X-Service-Topic: news\r\nX-Service-Unsubscribe: Generate\r\nX-Service-Tracking: opens=on; clicks=off\r\n${WHOLE}\r\n`,
    );
    expect(message).toMatchObject({
      unsubscribe: { displayName: null },
      tracking: { opens: true, clicks: false },
    });
    const plain = taken(`${WHOLE}\r\n`).message;
    expect([plain.unsubscribe, plain.tracking]).toEqual([undefined, undefined]);
  });

  it("an envelope that names nobody, too many, or nobody who can be mailed", () => {
    expect(errorsOf(`${WHOLE}\r\n`, [])).toEqual({ to: ["must name at least one recipient"] });
    expect(errorsOf(`${WHOLE}\r\n`, ["x"])).toEqual({ "to.0": ["is not an email address"] });
    expect(errorsOf(`${WHOLE}\r\n`, ["a@[192.0.2.1]"])).toMatchObject({
      to: ["has no recipient that can be mailed: every one was rejected"],
    });
    expect(
      errorsOf(
        `${WHOLE}\r\n`,
        Array.from({ length: 51 }, () => "a@example.org"),
      ),
    ).toEqual({
      to: ["has 51 recipients with cc and bcc; at most 50 are allowed"],
    });
  });
});

describe("what real mail has", () => {
  const linesOf = (content: string) => content.split("\r\n");
  const valueIn = (content: string, name: string) => {
    const section = readHeaderSection(octets(content));
    return section.kind === "header"
      ? section.fields.find((field) => field.name === name)?.value
      : undefined;
  };

  it("is more than 25 headers of its own: all of them go out, and the events tell of 25", () => {
    const headers = Array.from({ length: 60 }, (_, index) => `X-A${index}: b\r\n`).join("");
    const { message, content } = taken(`${WHOLE}${headers}\r\n`);
    expect(content).toBe(`${WHOLE}${headers}\r\n`);
    expect(message.headers).toEqual(Array.from({ length: 25 }, (_, index) => [`X-A${index}`, "b"]));
  });

  it("is a header over 8,192 characters, which goes out and is not told", () => {
    const { message, content } = taken(`${WHOLE}X-A:${" abc".repeat(2_100)}\r\nX-B: c\r\n\r\n`);
    expect(valueIn(content, "X-A")).toBe("abc ".repeat(2_100).trim());
    expect(message.headers).toEqual([["X-B", "c"]]);
  });

  it("is a subject over 998 characters, which goes out and is told in 998", () => {
    const { message, content } = taken(`${FROM}\r\nSubject: ${"word ".repeat(300)}\r\n\r\n`);
    expect(valueIn(content, "Subject")).toBe("word ".repeat(300).trim());
    expect(message.subject).toBe("word ".repeat(300).slice(0, 998));
  });

  it("is more than 10 addresses to reply to", () => {
    const field = `Reply-To: ${Array.from({ length: 11 }, (_, index) => `a${index}@example.org`).join(",\r\n ")}\r\n`;
    const { message, content } = taken(`${WHOLE}${field}\r\n`);
    expect(content).toBe(`${WHOLE}${field}\r\n`);
    expect(message.replyTo).toHaveLength(10);
  });

  it("is a long thread: References keeps its first id and as many of the last as 8,192 characters hold", () => {
    const ids = Array.from({ length: 400 }, (_, index) => `<${index}@example.org>`);
    for (const separator of ["\r\n ", " ", ""]) {
      const { content } = taken(`${WHOLE}References: ${[...ids, ...ids].join(separator)}\r\n\r\n`);
      const kept = valueIn(content, "References")?.split(" ") ?? [];
      expect(kept[0]).toBe("<0@example.org>");
      expect(kept.slice(1)).toEqual([...ids, ...ids].slice(1 - kept.length));
      expect(kept.join(" ").length).toBeGreaterThan(8_150);
      expect(kept.join(" ").length).toBeLessThanOrEqual(8_192);
    }
    const thread = `References: ${ids.slice(0, 300).join("\r\n ")}\r\n`;
    expect(taken(`${WHOLE}${thread}\r\n`).content).toBe(`${WHOLE}${thread}\r\n`);
    expect(taken(`${WHOLE}References: <${"a".repeat(9_000)}>\r\n\r\n`).content).toBe(
      `${WHOLE}\r\n`,
    );
  });

  it("is recipients that commas alone part, which are folded behind a comma", () => {
    const header = `From: me@${OWNED}\r\nTo: ${"user@example.org,".repeat(200)}last@example.org\r\n`;
    const { content } = taken(`${header}\r\n`);
    expect(
      linesOf(content).every(
        (line) => line.length <= 998 && (!line.startsWith(" ") || /^ (?:user|last)@/.test(line)),
      ),
    ).toBe(true);
    expect(content.replace(/\r\n /g, "")).toContain(header);
  });

  it("is an encoded word over 998 characters, which is encoded anew", () => {
    const { message, content } = taken(
      `${FROM}\r\nSubject: =?utf-8?Q?${"=C3=A9".repeat(340)}?=\r\n\r\n`,
    );
    expect(message.subject).toBe("\u00e9".repeat(340));
    expect(Math.max(...linesOf(content).map(({ length }) => length))).toBeLessThanOrEqual(76);
  });

  it.each(["0123456789", "\xc3\xa9", "\xf0\x9f\x98\x80"])(
    "is a line without a space, broken where it must be, between characters: %j",
    (piece) => {
      const { content } = taken(`${WHOLE}X-Key: ${piece.repeat(700)}\r\n\r\n`);
      expect(Math.max(...linesOf(content).map(({ length }) => length))).toBeLessThanOrEqual(998);
      expect(content.replace(/\r\n /g, "")).toContain(`X-Key: ${piece.repeat(700)}\r\n`);
      const lines = linesOf(content).filter((line) => line.includes(piece));
      expect(lines.some((line) => new TextDecoder().decode(octets(line)).includes("\ufffd"))).toBe(
        false,
      );
    },
  );

  it("is fields that may stand once and stand twice: the first stays, of recipients all", () => {
    const { content } = taken(
      `${WHOLE}TO: bob@example.org\r\nSubject: x\r\nReply-To: a@example.org\r\nReply-To: b@example.org\r\n\r\n`,
    );
    expect(content).toBe(
      `${WHOLE.replace("ann@example.org", "ann@example.org,\r\n bob@example.org")}Reply-To: a@example.org\r\n\r\n`,
    );
  });

  it("is raw octets that are no UTF-8, read as Windows-1252, in what is told too", () => {
    const { message, content } = taken(
      `${FROM}\r\nSubject: 5 \x80 \x96 caf\xe9\r\nTo: Z\xf6e <z@example.org>\r\nX-A: \xfc\r\n\r\n\xe9\r\n`,
    );
    expect(message).toMatchObject({
      subject: "5 \u20ac \u2013 caf\u00e9",
      to: [{ name: "Z\u00f6e" }],
      headers: [["X-A", "\u00fc"]],
    });
    expect(content).toContain("Subject: 5 \xe2\x82\xac \xe2\x80\x93 caf\xc3\xa9\r\n");
    expect(content.endsWith("\r\n\r\n\xe9\r\n")).toBe(true);
  });
});

describe("long header lines", () => {
  it("of headers that are taken out need no space", () => {
    const variables = `{${Array.from({ length: 90 }, (_, index) => `"k${index}":"${"1".repeat(20)}"`).join(",")}}`;
    expect(taken(`X-Service-Variables: ${variables}\r\n${WHOLE}\r\n{{k7}}\r\n`).content).toMatch(
      /\r\n\r\n1{20}\r\n$/,
    );
    expect(taken(`ARC-Seal: ${"a".repeat(5_000)}\r\n${WHOLE}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("are folded where there is white space, and read the same", () => {
    const value = `${"word ".repeat(600)}end`;
    const { content, message } = taken(`${WHOLE}X-Long: ${value}\r\n\r\n`);
    expect(Math.max(...content.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect(message.headers).toEqual([["X-Long", value]]);
    const section = readHeaderSection(octets(content));
    expect(
      section.kind === "header" && section.fields.find(({ name }) => name === "X-Long")?.value,
    ).toBe(value);
  });
});

describe("hostile octets", () => {
  it("never make more than a refusal, and never a header that has not been judged", () => {
    const piece = fc.constantFrom(
      "From: ",
      FROM,
      "\r\n",
      "\n",
      "\r",
      "\0",
      " ",
      "\t",
      ":",
      "To: a@b.example",
      "Subject",
      "=?utf-8?Q?",
      "?=",
      "<",
      ">",
      '"',
      "(",
      ",",
      "@",
      OWNED,
      "\xff",
      "X-Service-Tags:",
      "\x0b",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const judged = judge(pieces.join(""));
        if (judged.kind === "refused") return;
        const again = readHeaderSection(octets(judged.content));
        expect(again.kind).toBe("header");
        const senders =
          again.kind === "header"
            ? again.fields.filter(({ lowerName }) => lowerName === "from")
            : [];
        expect(senders).toHaveLength(1);
        expect(judged.content).not.toMatch(/[^\r]\n|\r[^\n]|\0/);
      }),
      { numRuns: 3_000 },
    );
  });

  it("keep every octet of a header that is kept", () => {
    const { content } = taken(`${WHOLE}X-A: \xc3\xa9 \xe9\xa0\x85\r\n\r\n`);
    expect(content).toBe(`${WHOLE}X-A: \xc3\xa9 \xe9\xa0\x85\r\n\r\n`);
    expect(textOf(octets("\x80\x9f\xff"))).toBe("\x80\x9f\xff");
  });
});
