// Tests how variables are rendered into submitted messages: only fields and parts whose text
// changes are rewritten, and all other octets stay.
import { describe, expect, it } from "vitest";
import {
  CALENDAR,
  HEAD,
  buildMultipart,
  NAME,
  NOTES,
  parse,
  PDF,
  PICTURE,
  PLAIN,
  RICH,
  utf8,
  withVariables,
} from "./multipart-messages.ts";
import { errorsOf, judgeMessage, acceptMessage } from "./submissions.ts";

describe("variables", () => {
  it("are rendered into subject, custom headers, text and HTML, escaped in HTML only", async () => {
    const { content, message } = acceptMessage(
      `${NAME}Subject: For {{name}}\r\nX-For: to {{name}}\r\nX_For!: {{name}}\r\nX-Other:  as  it ` +
        `\r\n\twas\r\nMIME-Version: 1.0\r\n${buildMultipart("alternative", [PLAIN, RICH])}`,
    );
    const email = await parse(content);
    expect(email).toMatchObject({
      subject: "For Zoë & Co",
      text: "Hi Zoë & Co\n",
      html: "<p>Hi Zoë &amp; Co</p>\n",
    });
    expect(message).toMatchObject({
      subject: "For Zoë & Co",
      headers: [
        ["X-For", "to Zoë & Co"],
        ["X_For!", "Zoë & Co"],
        ["X-Other", "as  it  was"],
      ],
      templateId: null,
    });
    expect(content).toContain("\r\nX-Other:  as  it \r\n\twas\r\n");
    expect(content).toMatch(/\r\nX-For: to =\?utf-8\?/);
    expect(content).not.toContain("X-Service");
  });

  it("do not change an octet of a message without a marker", () => {
    const rest =
      "Subject: =?utf-8?Q?none_=C3=A9?=\r\nX-A:  b " +
      `\r\n\tc\r\n${buildMultipart("mixed", ["\r\n\xe9 no marker \t", PDF, NOTES, PICTURE])}`;
    expect(acceptMessage(`${NAME}${rest}`).content).toBe(`${HEAD}${rest}`);
  });

  it("change only the parts with a marker", async () => {
    const parts = [
      PLAIN,
      PDF,
      NOTES,
      CALENDAR,
      `Content-Type: message/rfc822\r\n\r\nSubject: {{name}}\r\n\r\n{{name}}`,
    ];
    const { content } = acceptMessage(
      `${NAME}MIME-Version: 1.0\r\n${buildMultipart("mixed", parts)}`,
    );
    const out =
      "Content-Type: text/plain;\r\n charset=utf-8\r\nContent-Transfer-Encoding: " +
      "quoted-printable\r\n\r\nHi Zo=C3=AB & Co";
    expect(content).toBe(
      `${HEAD}MIME-Version: 1.0\r\n${buildMultipart("mixed", [out, ...parts.slice(1)])}`,
    );
  });

  it("do not change signed parts", () => {
    const rest = buildMultipart("signed", [
      PLAIN,
      "Content-Type: application/pgp-signature\r\n\r\nx",
    ]);
    expect(acceptMessage(`${NAME}${rest}`).content).toBe(`${HEAD}${rest}`);
  });

  it.each([
    ["no header of its own", "{{name}} \xc3\xa9", "Zoë & Co é"],
    [
      "base64",
      "Content-Type: text/plain\r\nContent-Transfer-Encoding: " +
        `base64\r\n\r\n${btoa(utf8("é {{name}}"))}`,
      "é Zoë & Co",
    ],
    [
      "quoted-printable",
      "Content-Type: text/plain\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n=C3=A9 " +
        "{=\r\n{name=7D}",
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
  ])("are rendered into a part with %s", async (_, part, text) => {
    const whole = part.includes("\r\n\r\n") ? part : `\r\n${part}`;
    expect((await parse(acceptMessage(`${NAME}${whole}\r\n`).content)).text?.trim()).toBe(text);
    const inside = (
      await parse(
        acceptMessage(`${NAME}MIME-Version: 1.0\r\n${buildMultipart("mixed", [whole, PDF])}`)
          .content,
      )
    ).text?.trim();
    expect(inside).toBe(text);
  });

  it("may be folded, and may be encoded words", () => {
    const folded = '{"name":\r\n "Ann\r\n  B.",\r\n\t"n": 1}';
    const words = "=?utf-8?Q?=7B=22name=22:_=22Zo=C3=AB?=\r\n =?utf-8?Q?_Z=22=7D?=";
    expect(
      acceptMessage(`X-Service-Variables: ${folded}\r\n${HEAD}Subject: {{name}}\r\n\r\n`).message
        .subject,
    ).toBe("Ann  B.");
    expect(
      acceptMessage(`X-Service-Variables: ${words}\r\n${HEAD}Subject: {{name}}\r\n\r\n`).message
        .subject,
    ).toBe("Zoë Z");
  });

  it("that are empty change nothing", () => {
    const rest = "Subject: {{name}}\r\n\r\n{{name}}\r\n";
    expect(acceptMessage(`${withVariables({})}${rest}`).content).toBe(`${HEAD}${rest}`);
    expect(acceptMessage(`${HEAD}${rest}`).content).toBe(`${HEAD}${rest}`);
  });

  it("can not inject a header", async () => {
    const { content } = acceptMessage(
      `${withVariables({ name: "x\r\nBcc: evil@example.net" })}Subject: {{name}}\r\nX-A: ` +
        "{{name}}\r\n\r\nx\r\n",
    );
    expect((await parse(content)).headers.map(({ key }) => key).sort()).toEqual([
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
  ])("that can't be rendered into %j %j are refused under the field", (header, body, errors) => {
    const judged = judgeMessage(`${NAME}${header}\r\n\r\n${body}\r\n`);
    expect(judged).toEqual({ kind: "refused", status: 422, errors });
  });

  it("that render to too much are refused as over HTTP", () => {
    const long = withVariables({ name: "x".repeat(60_000) });
    expect(errorsOf(`${long}Subject: {{name}}\r\n\r\n`)).toEqual({
      subject: ["renders to more than 998 characters"],
    });
    expect(judgeMessage(`${long}\r\n${"{{name}}".repeat(20)}\r\n`)).toMatchObject({
      status: 400,
      errors: { text: ["renders to more than 1000000 characters"] },
    });
  });
});

describe("an unsubscribe link", () => {
  it("has a placeholder wherever its variable is used", () => {
    const options = "X-Service-Topic: news\r\nX-Service-Unsubscribe: generate\r\n";
    const { message, content } = acceptMessage(
      `${options}${HEAD}Subject: {{name}} {{unsubscribe_url}}\r\n\r\nLeave: ` +
        "{{unsubscribe_url}}{{name}}\r\n",
    );
    const placeholder = message.linkPlaceholder ?? "none";
    expect(placeholder).toMatch(/^unsubscribe-[0-9a-f-]{36}$/);
    expect(message.subject).toBe(` ${placeholder}`);
    expect(content).toContain(`\r\nLeave: ${placeholder}\r\n`);
  });
});
