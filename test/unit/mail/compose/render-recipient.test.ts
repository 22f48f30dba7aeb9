// Tests the recipient's own unsubscribe link, the only text that differs between copies: it
// replaces the placeholder of the stored message.
import { describe, expect, it } from "vitest";
import { compose } from "../../../../src/mail/compose/compose.ts";
import { renderCopy } from "../../../../src/mail/recipient-link.ts";
import { contentWith, faultsOf, fieldsOf, latin1, messageWith, signingKey } from "./fixtures.ts";

const MARK = "unsubscribe-5b3c1a52-6f0e-4c65-9a27-0c1d8f1f9f10";
const URL = "https://post.example/u/aeaad2ojrhfjwzewrkdehkcg6qumuumhmsbq";

const message = messageWith({
  linkPlaceholder: MARK,
  subject: `Bye ${MARK} ${MARK}`,
  headers: [
    ["X-Bye", `<${MARK}>`],
    ["X-Other", "other"],
  ],
});
const content = contentWith({
  text: `Bye: ${MARK}\n${MARK}`,
  html: `<a href="${MARK}">${MARK}</a>`,
});

describe("a copy", () => {
  it("has its recipient's link for each placeholder in headers, text and HTML", () => {
    const copy = renderCopy(message, content, URL);
    expect(copy.message).toEqual({
      ...message,
      subject: `Bye ${URL} ${URL}`,
      headers: [
        ["X-Bye", `<${URL}>`],
        ["X-Other", "other"],
      ],
    });
    expect(copy.content).toEqual({
      ...content,
      text: `Bye: ${URL}\n${URL}`,
      html: `<a href="${URL}">${URL}</a>`,
    });
  });

  it("has the link unchanged in text and escaped in HTML", () => {
    const copy = renderCopy(message, content, "https://x.example/?a=1&b='$&$1");
    const link = "https://x.example/?a=1&b='$&$1";
    expect(copy.content.text).toBe(`Bye: ${link}\n${link}`);
    expect(copy.content.html).toContain(
      'href="https://x.example/?a&#x3D;1&amp;b&#x3D;&#x27;$&amp;$1"',
    );
  });

  it("has no text or HTML that the message lacks", () => {
    const none = contentWith({ text: null, html: null });
    expect(renderCopy(message, none, URL).content).toEqual(none);
  });

  it("of a message without a placeholder is the message itself, with or without a link", () => {
    const plain = messageWith({ subject: MARK });
    for (const url of [URL, null]) {
      const copy = renderCopy(plain, content, url);
      expect(copy.message).toBe(plain);
      expect(copy.content).toBe(content);
    }
  });

  it("is never composed with the placeholder left in", () => {
    expect(() => renderCopy(message, content, null)).toThrow(/was given no unsubscribe link/);
  });
});

describe("compose", () => {
  it("fills in the link before it encodes, folds and signs the message", async () => {
    const { dkim } = await signingKey();
    const bytes = await compose({ message, content, recipientIndex: 0, dkim, unsubscribeUrl: URL });
    expect(faultsOf(bytes)).toEqual([]);
    expect(latin1(bytes)).not.toContain(MARK);
    expect(fieldsOf(bytes)).toContainEqual(["X-Bye", `<${URL}>`]);
  });
});
