// Stores a reply as if the service had received it, for tests of what the API does with it.
import { NOT_CHECKED } from "../../src/resources/replies/reply-records.ts";
import { insertReply } from "../../src/resources/replies/store.ts";
import { suppressionsOf } from "../../src/db/client.ts";
import { bindings } from "./api.ts";
import { ON_SHARD_0 } from "./shard-bindings.ts";

const FILE = {
  filename: "a.txt",
  contentType: "text/plain",
  contentId: null,
  isInline: false,
  size: 4,
};
const DAY_MS = 86_400_000;
const RAW = [
  "From: Ann <ann@example.net>",
  "Subject: Re: Hello",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  "Yes.",
  "--b",
  'Content-Type: text/plain; name="a.txt"',
  'Content-Disposition: attachment; filename="a.txt"',
  "",
  "file",
  "--b--",
  "",
].join("\r\n");

/** Returns the reply's id. */
export async function makeReply(teamId: string): Promise<string> {
  const id = `reply_${crypto.randomUUID()}`;
  const rawKey = `replies/2100-01-01/${teamId}/${id}`;
  await bindings.CONTENT.put(rawKey, RAW);
  await insertReply(suppressionsOf(bindings, { id: teamId, shards: ON_SHARD_0 }), {
    id,
    emailId: `email_${crypto.randomUUID()}`,
    recipientIndex: 0,
    recipient: "ann@example.net",
    fromEmail: "ann@example.net",
    fromName: "Ann",
    fromRecipient: true,
    subject: "Re: Hello",
    preview: "Yes.",
    auto: false,
    ...NOT_CHECKED,
    facts: { to: [], cc: [], messageId: null, attachments: [FILE], replyTo: [], rawKey },
    bytes: RAW.length,
    seenAt: null,
    createdAt: Date.now(),
    expiresAt: Date.now() + DAY_MS,
  });
  return id;
}
