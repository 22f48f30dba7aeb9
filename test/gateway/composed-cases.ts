// Messages that other implementations check after they were composed.
import { Buffer } from "node:buffer";
import { compose } from "../../src/mail/compose/compose.ts";
import type { Message, MessageContent } from "../../src/mail/message.ts";
import { contentWith, messageWith, signingKey } from "../unit/mail/compose/fixtures.ts";

interface ComposedCase {
  readonly message: Partial<Message>;
  readonly content: Partial<MessageContent>;
}

const image = {
  filename: "logo.png",
  contentType: "image/png",
  contentId: "logo",
  content: Buffer.alloc(3_000, 7),
};
const report = {
  filename: "Bericht für Köln – 四半期.pdf",
  contentType: "application/pdf",
  contentId: null,
  content: Buffer.alloc(500, 1),
};

export const COMPOSED_CASES: Record<string, ComposedCase> = {
  plain: { message: {}, content: {} },
  "text and html": {
    message: { subject: "Grüße" },
    content: { text: "Grüße\n", html: "<p>Grüße</p>\n" },
  },
  "only html, of long lines": {
    message: {},
    content: { text: null, html: `<p>${"long ".repeat(1_000)}</p>\n` },
  },
  Chinese: {
    message: {
      subject: "您的订单已发货".repeat(20),
      from: { email: "a@example.com", name: "山田太郎" },
    },
    content: { text: "您的订单已发货\n".repeat(30) },
  },
  "everything at once": {
    message: {
      from: { email: "a@example.com", name: 'Müller, "Zoë" <x>' },
      to: [
        { email: "b@example.org", name: "Last, First" },
        { email: "c@example.org", name: null },
      ],
      cc: [{ email: "d@example.org", name: "😀 emoji" }],
      replyTo: [{ email: "e@example.com", name: "Help desk" }],
      subject:
        "Everything 😀 at once, with a subject that must be folded since it is much longer " +
        "than one line may be",
      headers: [
        ["List-Unsubscribe", "<https://example.com/u/1>"],
        ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
        ["References", "<1@example.com> <2@example.com>"],
      ],
    },
    content: {
      text: ".\nFrom me\ntrailing \t\n",
      html: '<img src="cid:logo">\n\n\n',
      attachments: [image, report],
    },
  },
};

export async function composeNow({
  message,
  content,
}: ComposedCase): Promise<Uint8Array<ArrayBuffer>> {
  const { dkim } = await signingKey();
  return compose({
    message: messageWith({ acceptedAt: Date.now(), ...message }),
    content: contentWith(content),
    recipientIndex: 0,
    dkim,
  });
}
