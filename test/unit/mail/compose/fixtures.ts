// Fixtures of the composer's tests: a message that a test may change, a signing key, an independent
// verifier of signatures, and the checks that every output must pass.
import { Buffer } from "node:buffer";
import type { Message, MessageContent } from "../../../../src/mail/message.ts";
import { compose } from "../../../../src/mail/compose/compose.ts";
import { composeRaw, prepareRaw } from "../../../../src/mail/compose/raw.ts";
import type { CopyTracking } from "../../../../src/mail/compose/track.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { readTrackingToken } from "../../../../src/mail/tracking-link.ts";
import type { Feedback } from "../../../../src/mail/compose/copy-header.ts";
import type { DkimKey } from "../../../../src/mail/compose/dkim.ts";

export const ACCEPTED_AT = Date.UTC(2026, 6, 9, 8, 7, 6, 543);

export function messageWith(changes: Partial<Message> = {}): Message {
  return {
    id: "email_0197e3a0-5b1f-7c2d-8e4f-112233445566",
    teamId: "team_1",
    acceptedAt: ACCEPTED_AT,
    source: "http",
    from: { email: "news@example.com", name: null },
    fromDomain: "example.com",
    domainId: "domain_1",
    to: [{ email: "ann@example.org", name: null }],
    cc: [],
    replyTo: [],
    recipients: ["ann@example.org"],
    subject: "Hello",
    messageId: "<0197e3a0-5b1f-7c2d-8e4f-112233445566@example.com>",
    headers: [],
    tags: [],
    topic: null,
    campaign: null,
    templateId: null,
    ipPool: null,
    ...changes,
  };
}

/** Tracks a copy's opens and clicks on `links.shop.example`. */
export const TRACKING: CopyTracking = {
  opens: true,
  clicks: true,
  host: "links.shop.example",
  copy: {
    teamNumber: 77,
    releaseDay: 19_675,
    emailId: newEmailId(1_700_000_000_000),
    recipientIndex: 2,
  },
  signingKey: "a signing key of more than 32 characters",
  publicUrl: "https://postern.example",
};

/** Reads the token of a tracked link or of a pixel. */
export const trackedRef = (token: string, kind: "c" | "o" = "c") =>
  readTrackingToken(TRACKING.signingKey, TRACKING.host, kind, token);

export const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

/** Makes the body of a multipart, with its own Content-Type. */
export const multipart = (kind: string, parts: readonly string[], boundary = "b"): string =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\npreamble\r\n` +
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;

/** Composes a submitted message for its first recipient. */
export async function composedRaw(
  raw: string,
  {
    links,
    feedback,
    ...message
  }: Partial<Message> & Partial<Parameters<typeof composeRaw>[0]> = {},
): Promise<Uint8Array> {
  return composeRaw({
    message: messageWith({ source: "raw", ...message }),
    prepared: await prepareRaw(bytesOf(raw)),
    recipientIndex: 0,
    dkim: (await signingKey()).dkim,
    ...(links && { links }),
    ...(feedback && { feedback }),
  });
}

export function contentWith(changes: Partial<MessageContent> = {}): MessageContent {
  return { text: "Hello, world.\n", html: null, attachments: [], ...changes };
}

interface TestKey {
  readonly dkim: DkimKey;
  readonly publicKey: DkimKey["key"];
}

let testKey: Promise<TestKey> | undefined;

export function signingKey(): Promise<TestKey> {
  testKey ??= makeKey();
  return testKey;
}

async function makeKey(): Promise<TestKey> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as {
    privateKey: DkimKey["key"];
    publicKey: DkimKey["key"];
  };
  return {
    dkim: { domain: "example.com", selector: "s1", key: pair.privateKey },
    publicKey: pair.publicKey,
  };
}

export async function composed(
  message: Partial<Message> = {},
  content: Partial<MessageContent> = {},
  feedback?: Feedback,
): Promise<Uint8Array> {
  const { dkim } = await signingKey();
  return compose({
    message: messageWith(message),
    content: contentWith(content),
    recipientIndex: 0,
    dkim,
    ...(feedback && { feedback }),
  });
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** The raw header fields of a message, unfolded: [name, value]. */
export function fieldsOf(bytes: Uint8Array): [name: string, value: string][] {
  const [head = ""] = latin1(bytes).split("\r\n\r\n");
  return head
    .replace(/\r\n(?=[ \t])/g, "")
    .split("\r\n")
    .map((line) => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trimStart(),
    ]);
}

/** Names the header fields of a message, in their order. */
export const namesOf = (bytes: Uint8Array): string =>
  fieldsOf(bytes)
    .map(([name]) => name)
    .join(" ");

/** Lists the reasons why a mail server might reject the bytes or change them; expected: none. */
export function faultsOf(bytes: Uint8Array): string[] {
  const text = latin1(bytes);
  const faults: string[] = [];
  if (!/^[\t\r\n -~]*$/.test(text)) faults.push("an octet that is not printable 7-bit");
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) faults.push("a bare CR or LF");
  if (!text.endsWith("\r\n")) faults.push("no line end at the end");
  const lines = text.split("\r\n");
  const head = lines.slice(0, lines.indexOf(""));
  for (const line of lines) {
    if (line.length > 998) faults.push(`a line of ${line.length}`);
    if (line.length > 78 && !/^(?:[A-Za-z0-9-]+:)? ?\S*$/.test(line))
      faults.push(`not folded: ${line}`);
    if (line.startsWith("From ") || line.startsWith(".")) faults.push(`at risk: ${line}`);
  }
  for (const line of head) {
    if (/^\s*$/.test(line)) faults.push("a blank line in the header");
    if (!/^[ \t]|^[!-9;-~]+:/.test(line)) faults.push(`no header field: ${line}`);
    const words = line.match(/=\?[^?\s]+\?[BQ]\?[^?\s]*\?=/g) ?? [];
    if (words.length > 0 && line.length > 76)
      faults.push(`encoded words on a line of ${line.length}`);
    for (const word of words) faults.push(...wordFaults(word));
  }
  return faults;
}

function wordFaults(word: string): string[] {
  const [, , encoding, payload = ""] = word.split("?");
  const octets = encoding === "B" ? Buffer.from(payload, "base64") : quotedOctets(payload);
  const faults = word.length > 75 ? [`an encoded word of ${word.length}`] : [];
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(octets);
  } catch {
    faults.push(`a character is parted: ${word}`);
  }
  return faults;
}

function quotedOctets(payload: string): Uint8Array {
  return Buffer.from(
    payload
      .replaceAll("_", " ")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  );
}

/**
 * Verifies the topmost DKIM-Signature by RFC 6376, without the signer's code. Returns its tags, or
 * the reason why it fails.
 */
export async function verified(
  bytes: Uint8Array,
  publicKey: DkimKey["key"],
): Promise<Map<string, string> | string> {
  const text = latin1(bytes);
  const split = text.indexOf("\r\n\r\n");
  const fields = text.slice(0, split).match(/[^\r\n]+(?:\r\n[ \t][^\r\n]*)*/g) ?? [];
  const own = fields.findIndex((field) => /^dkim-signature[ \t]*:/i.test(field));
  const signature = fields[own];
  if (signature === undefined) return "no signature";
  const tags = new Map<string, string>();
  for (const tag of signature.slice(signature.indexOf(":") + 1).split(";")) {
    const at = tag.indexOf("=");
    tags.set(tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, ""));
  }
  const body = relaxedLines(text.slice(split + 4));
  const bodyHash = Buffer.from(
    await crypto.subtle.digest("SHA-256", Buffer.from(body, "latin1")),
  ).toString("base64");
  if (bodyHash !== tags.get("bh")) return "body hash differs";
  const rest = fields.map((field): string | undefined => field);
  let signed = "";
  for (const name of (tags.get("h") ?? "").split(":")) {
    const at = rest.findLastIndex(
      (field) =>
        field !== undefined &&
        field.slice(0, field.indexOf(":")).trim().toLowerCase() === name.toLowerCase(),
    );
    if (at === -1) continue;
    signed += `${relaxedField(rest[at] ?? "")}\r\n`;
    rest[at] = undefined;
  }
  signed += relaxedField(signature.replace(/([\s;]b=)[^;]*/, "$1"));
  const octets = Buffer.from(tags.get("b") ?? "", "base64");
  const valid = await crypto.subtle.verify(
    "RSASSA-PKCS1-v1_5",
    publicKey,
    octets,
    Buffer.from(signed, "latin1"),
  );
  return valid ? tags : "signature differs";
}

function relaxedLines(body: string): string {
  const lines = body.split("\r\n").map((line) =>
    line
      .split(/[ \t]+/)
      .join(" ")
      .replace(/ $/, ""),
  );
  while (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `${line}\r\n`).join("");
}

function relaxedField(field: string): string {
  const [, name = "", value = ""] = /^([^:]*):([^]*)$/.exec(field) ?? [];
  const words = value
    .split(/\r\n|[ \t]+/)
    .filter((word) => word !== "")
    .join(" ");
  return `${name.trim().toLowerCase()}:${words}`;
}
