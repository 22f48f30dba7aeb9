// Variables and templates in submitted messages (src/mail/accept/smtp/smtp-words.ts): the fields
// and parts whose words change are written anew, the others keep their octets, and what a template
// takes the place of is the text alone.
import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { errorsOf, judge, octets, OWNED, taken } from "./submissions.ts";

const FROM = `From: Me <me@${OWNED}>\r\nMessage-ID: <1@${OWNED}>\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n`;
const TEMPLATE = {
  subject: "Hello {{name}}",
  html: "<p>Dear {{name}}, ü</p>",
  text: "Dear {{name}}, ü",
};

/** Latin-1 octets of UTF-8. */
const utf8 = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const withVariables = (variables: unknown) =>
  `X-Service-Variables: ${utf8(JSON.stringify(variables))}\r\n${FROM}`;
const NAME = withVariables({ name: "Zoë & Co", n: 3 });
const template = (change: Partial<typeof TEMPLATE> | { html: null } = {}) =>
  [["ann@example.org"], [], { ...TEMPLATE, ...change }] as const;

const parsed = (content: string) =>
  PostalMime.parse(octets(content), { attachmentEncoding: "arraybuffer" });
const bytesOf = (content: unknown) =>
  Array.from(new Uint8Array(content as ArrayBuffer), (byte) => String.fromCharCode(byte)).join("");

function multipart(kind: string, parts: readonly string[], boundary = kind[0] ?? ""): string {
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\npreamble\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
}

const PDF =
  "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%PDF \xff\xfe {{name}}";
const NOTES = "Content-Type: text/plain; name=notes.txt\r\n\r\nNotes for {{name}}";
const PICTURE =
  "Content-Type: image/png\r\nContent-ID: <pic@x>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=";
const CALENDAR =
  "Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nSUMMARY:{{name}}\r\nEND:VCALENDAR";
const PLAIN = "Content-Type: text/plain; charset=utf-8\r\n\r\nHi {{name}}";
const RICH = "Content-Type: text/html; charset=utf-8\r\n\r\n<p>Hi {{name}}</p>";

describe("variables", () => {
  it("go into the subject, custom headers, text and HTML, escaped in HTML alone", async () => {
    const { content, message } = taken(
      `${NAME}Subject: For {{name}}\r\nX-For: to {{name}}\r\nX-Other:  as  it \r\n\twas\r\nMIME-Version: 1.0\r\n${multipart("alternative", [PLAIN, RICH])}`,
    );
    const email = await parsed(content);
    expect(email).toMatchObject({
      subject: "For Zoë & Co",
      text: "Hi Zoë & Co\n",
      html: "<p>Hi Zoë &amp; Co</p>\n",
    });
    expect(message).toMatchObject({
      subject: "For Zoë & Co",
      headers: [
        ["X-For", "to Zoë & Co"],
        ["X-Other", "as  it  was"],
      ],
      templateId: null,
    });
    expect(content).toContain("\r\nX-Other:  as  it \r\n\twas\r\n");
    expect(content).toMatch(/\r\nX-For: to =\?utf-8\?/);
    expect(content).not.toContain("X-Service");
  });

  it("leave every octet of what holds no marker", () => {
    const rest = `Subject: =?utf-8?Q?none_=C3=A9?=\r\nX-A:  b \r\n\tc\r\n${multipart("mixed", ["\r\n\xe9 no marker \t", PDF, NOTES, PICTURE])}`;
    expect(taken(`${NAME}${rest}`).content).toBe(`${FROM}${rest}`);
  });

  it("change the parts alone that hold one", async () => {
    const parts = [
      PLAIN,
      PDF,
      NOTES,
      CALENDAR,
      `Content-Type: message/rfc822\r\n\r\nSubject: {{name}}\r\n\r\n{{name}}`,
    ];
    const { content } = taken(`${NAME}MIME-Version: 1.0\r\n${multipart("mixed", parts)}`);
    const out =
      "Content-Type: text/plain;\r\n charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHi Zo=C3=AB & Co";
    expect(content).toBe(
      `${FROM}MIME-Version: 1.0\r\n${multipart("mixed", [out, ...parts.slice(1)])}`,
    );
  });

  it("leave what was signed as it was", () => {
    const rest = multipart("signed", [PLAIN, "Content-Type: application/pgp-signature\r\n\r\nx"]);
    expect(taken(`${NAME}${rest}`).content).toBe(`${FROM}${rest}`);
  });

  it.each([
    ["no header of its own", "{{name}} \xc3\xa9", "Zoë & Co é"],
    [
      "base64",
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa(utf8("é {{name}}"))}`,
      "é Zoë & Co",
    ],
    [
      "quoted-printable",
      "Content-Type: text/plain\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n=C3=A9 {=\r\n{name=7D}",
      "é Zoë & Co",
    ],
    [
      "Latin-1",
      'Content-Type: text/plain;\r\n\tcharset="iso-8859-1"; format=flowed\r\n\r\n\xe9 {{name}}',
      "é Zoë & Co",
    ],
    ["KOI8-R", "Content-Type: text/plain; charset=koi8-r\r\n\r\n\xc4\xc1 {{name}}", "да Zoë & Co"],
    [
      "ISO-2022-JP",
      "Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$B0!\x1b(B {{name}}",
      "亜 Zoë & Co",
    ],
  ])("are rendered whatever the part is in: %s", async (_, part, text) => {
    const whole = part.includes("\r\n\r\n") ? part : `\r\n${part}`;
    expect((await parsed(taken(`${NAME}${whole}\r\n`).content)).text?.trim()).toBe(text);
    const inside = (
      await parsed(taken(`${NAME}MIME-Version: 1.0\r\n${multipart("mixed", [whole, PDF])}`).content)
    ).text?.trim();
    expect(inside).toBe(text);
  });

  it("may fold over lines, and be encoded words", () => {
    const folded = '{"name":\r\n "Ann\r\n  B.",\r\n\t"n": 1}';
    const words = "=?utf-8?Q?=7B=22name=22:_=22Zo=C3=AB?=\r\n =?utf-8?Q?_Z=22=7D?=";
    expect(
      taken(`X-Service-Variables: ${folded}\r\n${FROM}Subject: {{name}}\r\n\r\n`).message.subject,
    ).toBe("Ann  B.");
    expect(
      taken(`X-Service-Variables: ${words}\r\n${FROM}Subject: {{name}}\r\n\r\n`).message.subject,
    ).toBe("Zoë Z");
  });

  it("that are empty render nothing", () => {
    const rest = "Subject: {{name}}\r\n\r\n{{name}}\r\n";
    expect(taken(`${withVariables({})}${rest}`).content).toBe(`${FROM}${rest}`);
    expect(taken(`${FROM}${rest}`).content).toBe(`${FROM}${rest}`);
  });

  it("can open no header of their own", async () => {
    const { content } = taken(
      `${withVariables({ name: "x\r\nBcc: evil@example.net" })}Subject: {{name}}\r\nX-A: {{name}}\r\n\r\nx\r\n`,
    );
    expect((await parsed(content)).headers.map(({ key }) => key).sort()).toEqual([
      "date",
      "from",
      "message-id",
      "subject",
      "x-a",
    ]);
  });

  it.each([
    ["Subject: {{#if}}", "", { subject: [expect.stringContaining("line 1")] }],
    ["X-A: {{> x}}", "", { "headers.X-A": [expect.stringContaining("line 1")] }],
    ["Subject: x", "{{#each", { text: [expect.stringContaining("line 1")] }],
    ["Subject: {{none}}", "", { subject: ["is empty once rendered"] }],
    [
      "Subject: x\r\nContent-Type: text/plain; charset=x-none",
      "\xe9 {{name}}",
      { text: ["is in a charset that can't be read: x-none"] },
    ],
  ])(
    "that make a marker of %j %j impossible are refused by their field",
    (header, body, errors) => {
      const judged = judge(`${NAME}${header}\r\n\r\n${body}\r\n`);
      expect(judged).toEqual({ kind: "refused", status: 422, errors });
    },
  );

  it("that make too much are refused as over HTTP", () => {
    const long = withVariables({ name: "x".repeat(60_000) });
    expect(errorsOf(`${long}Subject: {{name}}\r\n\r\n`)).toEqual({
      subject: ["renders to more than 998 characters"],
    });
    expect(judge(`${long}\r\n${"{{name}}".repeat(20)}\r\n`)).toMatchObject({
      status: 400,
      errors: { text: ["renders to more than 1000000 characters"] },
    });
  });
});

describe("an unsubscribe link", () => {
  it("has a mark wherever its variable stands, and renders the rest as over HTTP", () => {
    const options = "X-Service-Topic: news\r\nX-Service-Unsubscribe: generate\r\n";
    const { message, content } = taken(
      `${options}${FROM}Subject: {{name}} {{unsubscribe_url}}\r\n\r\nLeave: {{unsubscribe_url}}{{name}}\r\n`,
    );
    const mark = message.linkPlaceholder ?? "none";
    expect(mark).toMatch(/^unsubscribe-[0-9a-f-]{36}$/);
    expect(message.subject).toBe(` ${mark}`);
    expect(content).toContain(`\r\nLeave: ${mark}\r\n`);
  });
});

describe("a template", () => {
  it("takes the place of the message's own words", async () => {
    const head = `X-Service-Template-Id: template_x\r\n${NAME}To: ann@example.org\r\nX-Own: kept\r\nContent-Language: nl\r\n`;
    const { content, message } = taken(
      `${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\nown \xe9\r\n`,
      ...template(),
    );
    expect(message.templateId).toBe("template_x");
    const email = await parsed(content);
    expect(email).toMatchObject({
      subject: "Hello Zoë & Co",
      text: "Dear Zoë & Co, ü",
      html: "<p>Dear Zoë &amp; Co, ü</p>\n",
    });
    expect(content).not.toContain("own \xe9");
    expect(
      content.startsWith(
        `${FROM}To: ann@example.org\r\nX-Own: kept\r\nContent-Language: nl\r\nSubject: Hello =?utf-8?`,
      ),
    ).toBe(true);
    expect(content).toMatch(/^[\r\n -~]*$/);
  });

  it("without variables stays as it is", async () => {
    const { content } = taken(`X-Service-Template-Id: t\r\n${FROM}\r\n`, ...template());
    expect(await parsed(content)).toMatchObject({
      subject: TEMPLATE.subject,
      text: expect.stringContaining(TEMPLATE.text) as string,
      html: `${TEMPLATE.html}\n`,
    });
  });

  it.each([
    ["Subject: Mine for {{name}}\r\n", "Mine for Zoë & Co"],
    ["Subject: =?utf-8?Q?_?=\r\n", "Hello Zoë & Co"],
    ["Subject:\r\n", "Hello Zoë & Co"],
    ["", "Hello Zoë & Co"],
  ])("gives its subject where the message's own is empty: %j", async (header, subject) => {
    const { content, message } = taken(
      `X-Service-Template-Id: t\r\n${NAME}${header}\r\nx\r\n`,
      ...template(),
    );
    expect(message.subject).toBe(subject);
    const email = await parsed(content);
    expect(email.subject).toBe(subject);
    expect(email.headers.filter(({ key }) => key === "subject")).toHaveLength(1);
  });

  it("keeps attachments, inline parts and calendars to the octet, each in its place", async () => {
    const related = multipart("related", [RICH, PICTURE]);
    const inside = "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\ninner";
    const raw = multipart("mixed", [
      multipart("alternative", [PLAIN, related, CALENDAR]),
      PDF,
      NOTES,
      inside,
      "\r\nfooter",
    ]);
    const { content } = taken(
      `X-Service-Template-Id: t\r\n${NAME}MIME-Version: 1.0\r\n${raw}`,
      ...template(),
    );
    for (const part of [PDF, NOTES, PICTURE, CALENDAR, inside])
      expect(content).toContain(`\r\n${part}\r\n--=_`);
    const email = await parsed(content);
    expect(email.text).toMatch(/^Dear Zoë & Co, ü\n/);
    expect(email.html).toMatch(/^<p>Dear Zoë &amp; Co, ü<\/p>\n/);
    const kept = email.attachments.map(({ mimeType, related: isRelated = false }) => [
      mimeType,
      isRelated,
    ]);
    expect(kept.toSorted((left, right) => String(left).localeCompare(String(right)))).toEqual([
      ["application/pdf", false],
      ["image/png", true],
      ["text/calendar", false],
    ]);
    expect(
      bytesOf(email.attachments.find(({ mimeType }) => mimeType === "application/pdf")?.content),
    ).toBe("%PDF \xff\xfe {{name}}\n");
    expect(content).not.toMatch(/Hi |footer|preamble/);
    const types = Array.from(
      content.matchAll(/^Content-Type: multipart\/([a-z]+);/gm),
      ([, kind]) => kind,
    );
    expect(types).toEqual(["mixed", "alternative", "related"]);
    expect(content).toMatch(/^Content-Transfer-Encoding: 8bit\r\n\r\n--=_[0-9a-f]{32}_mixed\r\n/m);
  });

  it("keeps a message that is one file by itself as an attachment", async () => {
    const file =
      'Content-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n';
    const { content } = taken(
      `X-Service-Template-Id: t\r\n${NAME}MIME-Version: 1.0\r\n${file}`,
      ...template(),
    );
    const email = await parsed(content);
    expect(email.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ["a.pdf", "application/pdf"],
    ]);
    expect(email.html).toContain("Dear Zoë");
  });

  it("without HTML that is left shows its text alone, and what its HTML would have shown as attachments", async () => {
    const raw = multipart("related", [RICH, PICTURE]);
    const { content } = taken(
      `X-Service-Template-Id: t\r\n${NAME}${raw}`,
      ...template({ html: null }),
    );
    const email = await parsed(content);
    expect([email.text, email.html ?? null]).toEqual(["Dear Zoë & Co, ü", null]);
    expect(email.attachments).toHaveLength(1);
  });

  it("that can't be rendered is refused by its name", () => {
    expect(
      errorsOf(`X-Service-Template-Id: t\r\n${NAME}\r\n`, ...template({ html: "{{#if}}" })),
    ).toEqual({
      template_id: [expect.stringMatching(/^has HTML that .*line 1/)],
    });
    expect(
      errorsOf(`X-Service-Template-Id: t\r\n${NAME}\r\n`, ["ann@example.org"], [], {
        ...TEMPLATE,
        subject: null,
      }),
    ).toEqual({
      subject: ["is required, since the template has none"],
    });
  });

  it("comes out whole around whatever was submitted", async () => {
    const piece = fc.constantFrom(
      "\r\n",
      "--b",
      "--b--",
      "Content-Type: ",
      "multipart/mixed;",
      "multipart/alternative;",
      "boundary=b",
      "text/html",
      "message/rfc822",
      "\xff",
      "{{name}}",
      "x",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const judged = judge(
          `X-Service-Template-Id: t\r\n${NAME}Content-Type: multipart/mixed; boundary=b\r\n\r\n${pieces.join("")}\r\n`,
          ...template(),
        );
        if (judged.kind === "refused") throw new Error(JSON.stringify(judged.errors));
        expect((await parsed(judged.content)).html).toMatch(/^<p>Dear Zoë &amp; Co, ü<\/p>/);
      }),
      { numRuns: 300 },
    );
  });
});
