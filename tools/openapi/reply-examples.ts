// Examples of the operations on replies.
import { AT, EMAIL_ID, type Example } from "./example-values.ts";

const FILE = {
  index: 0,
  filename: "receipt.pdf",
  content_type: "application/pdf",
  content_id: null,
  is_inline: false,
  size: 48_213,
};

const REPLY = {
  id: "reply_019e5b6c-943e-7b1c-9d4e-2f8f1f4b7d10",
  email_id: EMAIL_ID,
  recipient: "ada@example.net",
  from: "Ada Lovelace <ada@example.net>",
  from_recipient: true,
  to: ["r+aeaaaaabdhs23heul7ta5zptppcxpuqpy26yaaa6dmnfbrmpedh7o7w2j7l5q@bounces.example.com"],
  cc: [],
  message_id: "<5a1f0c@example.net>",
  subject: "Re: Your receipt 4711",
  preview: "Thank you. The amount is wrong: see the file.",
  auto: false,
  spf: "pass",
  dkim: "pass",
  dmarc: "pass",
  reply_to: ["Example Shop <help@example.com>"],
  attachments: [FILE],
  seen: false,
  received_at: AT,
  kept_until: "2027-02-19T09:30:00.000Z",
};

const LINK = "https://postern.example/r/WzEsInJlcGx5XzAxOWU1YjZjIl0";

export const REPLY_EXAMPLES: Readonly<Record<string, Example>> = {
  listReplies: { response: REPLY },
  getReply: {
    response: {
      ...REPLY,
      text: REPLY.preview,
      quoted: "On 21 Nov 2026, at 09:00, Example Shop wrote:\n> Your receipt 4711",
      html: null,
      headers: { from: REPLY.from, subject: REPLY.subject },
      attachments: [{ ...FILE, download_url: LINK }],
      raw_download_url: LINK,
      download_expires_at: "2026-11-21T10:30:00.000Z",
    },
  },
  getReplyAttachment: { response: "%PDF-1.7 …" },
  getRawReply: {
    response: "From: Ada Lovelace <ada@example.net>\r\nSubject: Re: Your receipt 4711\r\n…",
  },
  updateReply: { request: { seen: true }, response: { ...REPLY, seen: true } },
};
