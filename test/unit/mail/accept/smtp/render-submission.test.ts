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
import { acceptMessage, judgeMessage, problemOf } from "./submissions.ts";

const PLAIN_IN = "Content-Type: text/plain\r\nContent-Transfer-Encoding: ";
const PLAIN_OF = "Content-Type: text/plain; charset=";

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
    const inner = "Content-Type: message/rfc822\r\n\r\nSubject: {{name}}\r\n\r\n{{name}}";
    const parts = [PLAIN, PDF, NOTES, CALENDAR, inner];
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
    const signature = "Content-Type: application/pgp-signature\r\n\r\nx";
    const rest = buildMultipart("signed", [PLAIN, signature]);
    expect(acceptMessage(`${NAME}${rest}`).content).toBe(`${HEAD}${rest}`);
  });

  it.each([
    ["no header of its own", "{{name}} \xc3\xa9", "Zoë & Co é"],
    ["base64", `${PLAIN_IN}base64\r\n\r\n${btoa(utf8("é {{name}}"))}`, "é Zoë & Co"],
    ["quoted-printable", `${PLAIN_IN}Quoted-Printable\r\n\r\n=C3=A9 {=\r\n{name=7D}`, "é Zoë & Co"],
    [
      "Latin-1",
      'Content-Type: text/plain;\r\n\tcharset="iso-8859-1"; format=flowed\r\n\r\n\xe9 {{name}}',
      "é Zoë & Co",
    ],
    ["KOI8-R", `${PLAIN_OF}koi8-r\r\n\r\n\xc4\xc1 {{name}}`, "да Zoë & Co"],
    ["ISO-2022-JP", `${PLAIN_OF}iso-2022-jp\r\n\r\n\x1b$B0!\x1b(B {{name}}`, "亜 Zoë & Co"],
  ])("are rendered into a part with %s", async (_, part, text) => {
    const whole = part.includes("\r\n\r\n") ? part : `\r\n${part}`;
    const inside = `MIME-Version: 1.0\r\n${buildMultipart("mixed", [whole, PDF])}`;
    for (const message of [`${whole}\r\n`, inside])
      expect((await parse(acceptMessage(NAME + message).content)).text?.trim()).toBe(text);
  });

  it("may be folded, and may be encoded words", () => {
    const folded = '{"name":\r\n "Ann\r\n  B.",\r\n\t"n": 1}';
    const words = "=?utf-8?Q?=7B=22name=22:_=22Zo=C3=AB?=\r\n =?utf-8?Q?_Z=22=7D?=";
    for (const [variables, subject] of [
      [folded, "Ann  B."],
      [words, "Zoë Z"],
    ]) {
      const header = `X-Service-Variables: ${variables}\r\n${HEAD}Subject: {{name}}`;
      expect(acceptMessage(`${header}\r\n\r\n`).message.subject).toBe(subject);
    }
  });

  it("that are empty change nothing", () => {
    const rest = "Subject: {{name}}\r\n\r\n{{name}}\r\n";
    expect(acceptMessage(`${withVariables({})}${rest}`).content).toBe(`${HEAD}${rest}`);
    expect(acceptMessage(`${HEAD}${rest}`).content).toBe(`${HEAD}${rest}`);
  });

  it("can't inject a header", async () => {
    const { content } = acceptMessage(
      `${withVariables({ name: "x\r\nBcc: evil@example.net" })}Subject: {{name}}\r\nX-A: ` +
        "{{name}}\r\n\r\nx\r\n",
    );
    const names = (await parse(content)).headers.map(({ key }) => key);
    expect(names.toSorted().join()).toBe("date,from,message-id,subject,x-a");
  });

  it.each([
    ["Subject: {{#if}}", "", /^subject .*line 1/],
    ["X-A: {{> x}}", "", /^headers\.X-A .*line 1/],
    ["Subject: x", "{{#each", /^text .*line 1/],
    ["Subject: {{none}}", "", /^subject is empty once rendered$/],
    ["Content-Type: text/plain; charset=x-none", "\xe9{{name}}", /^text .* can't be read: x-none$/],
  ])("that can't be rendered into %j %j are refused under the field", (header, body, problem) => {
    const message = `${NAME}${header}\r\n\r\n${body}\r\n`;
    expect(problemOf(message)).toMatch(problem);
    expect(judgeMessage(message)).toMatchObject({ status: 422 });
  });

  it("that render to too much are refused as over HTTP", () => {
    const long = withVariables({ name: "x".repeat(60_000) });
    expect(problemOf(`${long}Subject: {{name}}\r\n\r\n`)).toBe(
      "subject renders to more than 998 characters",
    );
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
