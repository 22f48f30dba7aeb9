// Checks composed messages with other implementations: dkimpy verifies the signatures, and a
// message of nodemailer with the same input has the same content when it is parsed.
import { execFileSync, spawnSync } from "node:child_process";
import { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import PostalMime, { type Email } from "postal-mime";
import { describe, expect, it } from "vitest";
import { compose } from "../../src/mail/compose/compose.ts";
import { type DkimKey, signMessage } from "../../src/mail/compose/dkim.ts";
import type { Message, MessageContent } from "../../src/mail/message.ts";
import {
  contentWith,
  faultsOf,
  messageWith,
  signingKey,
  verified,
} from "../unit/mail/compose/fixtures.ts";

interface Case {
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

const CASES: Record<string, Case> = {
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

async function composeNow({ message, content }: Case): Promise<Uint8Array<ArrayBuffer>> {
  const { dkim } = await signingKey();
  return compose({
    message: messageWith({ acceptedAt: Date.now(), ...message }),
    content: contentWith(content),
    recipientIndex: 0,
    dkim,
  });
}

describe("dkimpy", () => {
  const RAW: Record<string, string> = {
    "octets beyond ASCII":
      "From: \xc3\xa9 <a@example.com>\r\nSubject: \xe9\xff\r\n\r\n8-bit \xe9\xa0 body\t \r\n\r\n",
    "an empty body": "From: a@example.com\r\nTo: b@example.org\r\n\r\n",
    "several fields of one name, folded":
      "To: one@example.org\r\nFrom:\r\n\ta@example.com\r\nto: two@example.org,\r\n  " +
      "three@example.org\r\n\r\nx  y\r\n",
  };

  it("verifies every signature, and no signature of a changed message", async () => {
    const { dkim, publicKey } = await signingKey();
    const messages: Uint8Array[] = await Promise.all(Object.values(CASES).map(composeNow));
    for (const raw of Object.values(RAW))
      messages.push(
        await signMessage(new Uint8Array(Buffer.from(raw, "latin1")), dkim, Date.now()),
      );
    const changed = messages.map(
      (bytes) => new Uint8Array(Buffer.concat([bytes, Buffer.from("more\r\n")])),
    );
    for (const bytes of messages) expect(await verified(bytes, publicKey)).toBeInstanceOf(Map);
    const answers = await dkimpyVerdicts([...messages, ...changed], publicKey);
    if (answers)
      expect(answers).toEqual([...messages.map(() => true), ...changed.map(() => false)]);
    for (const bytes of changed) expect(await verified(bytes, publicKey)).toBe("body hash differs");
  });
});

describe("nodemailer", () => {
  for (const [name, one] of Object.entries(CASES)) {
    it(`composes a message that parses to the same content: ${name}`, async () => {
      const ours = await composeNow(one);
      expect(faultsOf(ours)).toEqual([]);
      expect(essence(await PostalMime.parse(ours))).toEqual(
        essence(await PostalMime.parse(await nodemailerBytes(one))),
      );
    });
  }
});

/**
 * Verifies each message with dkimpy. Undefined: dkimpy is not installed, so only the fixtures'
 * verifier judges.
 */
async function dkimpyVerdicts(
  messages: readonly Uint8Array[],
  publicKey: DkimKey["key"],
): Promise<boolean[] | undefined> {
  const python = ["/usr/bin/python3", "python3"].find(
    (command) => spawnSync(command, ["-c", "import dkim"]).status === 0,
  );
  if (!python) return undefined;
  const spki = Buffer.from(await crypto.subtle.exportKey("spki", publicKey)).toString("base64");
  const script = `
import base64, dkim, json, sys
given = json.load(sys.stdin)
find = lambda name, timeout=5: given["record"].encode() if name in (b"s1._domainkey.example.com.", "s1._domainkey.example.com.") else None
print(json.dumps([dkim.verify(base64.b64decode(m), dnsfunc=find) for m in given["messages"]]))`;
  const input = JSON.stringify({
    record: `v=DKIM1; k=rsa; p=${spki}`,
    messages: messages.map((bytes) => Buffer.from(bytes).toString("base64")),
  });
  return JSON.parse(execFileSync(python, ["-c", script], { input, encoding: "utf8" })) as boolean[];
}

async function nodemailerBytes({ message, content }: Case): Promise<Uint8Array> {
  const full = messageWith(message);
  const { text, html, attachments } = contentWith(content);
  const mailbox = ({ email, name }: { email: string; name: string | null }) => ({
    address: email,
    name: name ?? "",
  });
  const mail = new MailComposer({
    from: mailbox(full.from),
    to: full.to.map(mailbox),
    cc: full.cc.map(mailbox),
    replyTo: full.replyTo.map(mailbox),
    subject: full.subject,
    ...(text !== null && { text }),
    ...(html !== null && { html }),
    messageId: full.messageId,
    attachments: attachments.map(({ filename, contentType, contentId, content: bytes }) => ({
      filename,
      contentType,
      content: Buffer.from(bytes),
      cid: contentId ?? undefined,
    })),
  });
  return mail.compile().build();
}

function essence({
  from,
  to,
  cc,
  replyTo,
  subject,
  messageId,
  text,
  html,
  attachments,
}: Email): unknown {
  return {
    addresses: { from, to, cc, replyTo },
    subject,
    messageId,
    text: text?.replaceAll("\r\n", "\n").trimEnd(),
    html: html?.replaceAll("\r\n", "\n").trimEnd(),
    files: attachments.map(({ filename, mimeType, contentId, related, content }) => [
      filename,
      mimeType,
      contentId,
      related,
      Buffer.from(content as ArrayBuffer).toString("hex"),
    ]),
  };
}
