// Tests that a template replaces the text and HTML of a submitted message, and that everything else
// stays.
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import {
  bytesOf,
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
  TEMPLATE,
  template,
} from "./multipart-messages.ts";
import { acceptMessage, judgeMessage, problemOf } from "./submissions.ts";

/** Submits a message with variables that names a template. */
const templated = (rest: string, change: Parameters<typeof template>[0] = {}) =>
  acceptMessage(`X-Service-Template-Id: t\r\n${NAME}${rest}`, ...template(change));

describe("a template", () => {
  it("replaces the message's own subject and bodies", async () => {
    const { content, message } = templated(
      "To: ann@example.org\r\nX-Own: kept\r\nContent-Language: nl\r\nContent-Type: " +
        "text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\nown \xe9\r\n",
    );
    expect(message.templateId).toBe("template_x");
    expect(await parse(content)).toMatchObject({
      subject: "Hello Zoë & Co",
      text: "Dear Zoë & Co, ü",
      html: "<p>Dear Zoë &amp; Co, ü</p>\n",
    });
    const kept = "To: ann@example.org\r\nX-Own: kept\r\nContent-Language: nl";
    expect(content.startsWith(`${HEAD}${kept}\r\nSubject: Hello =?utf-8?`)).toBe(true);
    expect(content).not.toContain("own \xe9");
    expect(content).toMatch(/^[\r\n -~]*$/);
  });

  it("without variables is sent as it was published", async () => {
    const { content } = acceptMessage(`X-Service-Template-Id: t\r\n${HEAD}\r\n`, ...template());
    expect(await parse(content)).toMatchObject({
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
  ])("gives its subject when the message's own is empty: %j", async (header, subject) => {
    const { content, message } = templated(`${header}\r\nx\r\n`);
    expect(message.subject).toBe(subject);
    const email = await parse(content);
    expect(email.subject).toBe(subject);
    expect(email.headers.filter(({ key }) => key === "subject")).toHaveLength(1);
  });

  it("keeps attachments, inline parts and calendars, to the octet and in place", async () => {
    const related = buildMultipart("related", [RICH, PICTURE]);
    const inside = "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\ninner";
    const alternative = buildMultipart("alternative", [PLAIN, related, CALENDAR]);
    const raw = buildMultipart("mixed", [alternative, PDF, NOTES, inside, "\r\nfooter"]);
    const { content } = templated(`MIME-Version: 1.0\r\n${raw}`);
    for (const part of [PDF, NOTES, PICTURE, CALENDAR, inside])
      expect(content).toContain(`\r\n${part}\r\n--=_`);
    const email = await parse(content);
    expect(email.text).toMatch(/^Dear Zoë & Co, ü\n/);
    expect(email.html).toMatch(/^<p>Dear Zoë &amp; Co, ü<\/p>\n/);
    const kept = email.attachments.map(
      ({ mimeType, related: isRelated = false, content: octets }) => [
        mimeType,
        isRelated,
        mimeType === "application/pdf" && bytesOf(octets),
      ],
    );
    expect(new Set(kept)).toEqual(
      new Set([
        ["application/pdf", false, "%PDF \xff\xfe {{name}}\n"],
        ["image/png", true, false],
        ["text/calendar", false, false],
      ]),
    );
    expect(content).not.toMatch(/Hi |footer|preamble/);
    const types = content.matchAll(/^Content-Type: multipart\/([a-z]+);/gm);
    expect(Array.from(types, ([, kind]) => kind)).toEqual(["mixed", "alternative", "related"]);
    expect(content).toMatch(/^Content-Transfer-Encoding: 8bit\r\n\r\n--=_[0-9a-f]{32}_mixed\r\n/m);
  });

  it("keeps a message that is a single file as an attachment", async () => {
    const file =
      'Content-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: ' +
      "attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n";
    const email = await parse(templated(`MIME-Version: 1.0\r\n${file}`).content);
    expect(email.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ["a.pdf", "application/pdf"],
    ]);
    expect(email.html).toContain("Dear Zoë");
  });

  it("gives reply addresses and fallbacks to a message that has none of its own", async () => {
    const defaults = { replyTo: ["Hélp <help@owned.example>"], fallbacks: { name: "friend" } };
    const bare = acceptMessage(`X-Service-Template-Id: t\r\n${HEAD}\r\n`, ...template(defaults));
    expect(bare.content).toContain("\r\nReply-To: =?utf-8?");
    expect(bare.message.replyTo).toEqual([{ email: "help@owned.example", name: "Hélp" }]);
    expect(await parse(bare.content)).toMatchObject({
      subject: "Hello friend",
      text: expect.stringMatching(/^Dear friend, ü\s*$/),
      replyTo: [{ address: "help@owned.example", name: "Hélp" }],
    });
    const own = templated("Reply-To: own@owned.example\r\n\r\n", defaults);
    expect(own.message.replyTo).toEqual([{ email: "own@owned.example", name: null }]);
    expect(await parse(own.content)).toMatchObject({
      subject: "Hello Zoë & Co",
      replyTo: [{ address: "own@owned.example" }],
    });
  });

  it("without HTML shows its text, and keeps inline parts as attachments", async () => {
    const raw = buildMultipart("related", [RICH, PICTURE]);
    const email = await parse(templated(raw, { html: null }).content);
    expect([email.text, email.html ?? null]).toEqual(["Dear Zoë & Co, ü", null]);
    expect(email.attachments).toHaveLength(1);
  });

  it("that can't be rendered is refused under template_id", () => {
    const problemWith = (change: Parameters<typeof template>[0]) =>
      problemOf(`X-Service-Template-Id: t\r\n${NAME}\r\n`, ...template(change));
    expect(problemWith({ html: "{{#if}}" })).toMatch(/^template_id has HTML that .*line 1/);
    expect(problemWith({ subject: null })).toBe("subject is required, since the template has none");
  });

  it("is rendered whole whatever the message holds", async () => {
    const piece = fc.constantFrom(
      ...(
        "\r\n|--b|--b--|Content-Type: |multipart/mixed;|multipart/alternative;|boundary=b|" +
        "text/html|message/rfc822|\xff|{{name}}|x"
      ).split("|"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const judged = judgeMessage(
          `X-Service-Template-Id: t\r\n${NAME}Content-Type: multipart/mixed; ` +
            `boundary=b\r\n\r\n${pieces.join("")}\r\n`,
          ...template(),
        );
        if (judged.kind === "refused") throw new Error(JSON.stringify(judged.errors));
        expect((await parse(judged.content)).html).toMatch(/^<p>Dear Zoë &amp; Co, ü<\/p>/);
      }),
    );
  });
});
