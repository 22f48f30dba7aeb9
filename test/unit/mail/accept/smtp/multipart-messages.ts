// Builds submitted messages with parts, variables and a template, for tests.
import PostalMime from "postal-mime";
import type { Sendable } from "../../../../../src/resources/templates/sendable.ts";
import { octets, OWNED } from "./submissions.ts";

export const HEAD =
  `From: Me <me@${OWNED}>\r\nMessage-ID: <1@${OWNED}>\r\nDate: Thu, 1 Jan 2026 00:00:00 ` +
  "+0000\r\n";
export const TEMPLATE = {
  id: "template_x",
  subject: "Hello {{name}}",
  html: "<p>Dear {{name}}, ü</p>",
  text: "Dear {{name}}, ü",
  from: null,
  replyTo: null,
  fallbacks: null,
  sensitive: false,
  replyTracking: false,
  version: null,
};

/** Encodes a text in UTF-8. The result has one character for each octet. */
export const utf8 = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
export const withVariables = (variables: unknown) =>
  `X-Service-Variables: ${utf8(JSON.stringify(variables))}\r\n${HEAD}`;
export const NAME = withVariables({ name: "Zoë & Co", n: 3 });
export const template = (change: Partial<Sendable> = {}) =>
  [["ann@example.org"], [], { ...TEMPLATE, ...change }] as const;

export const parse = (content: string) =>
  PostalMime.parse(octets(content), { attachmentEncoding: "arraybuffer" });
export const bytesOf = (content: unknown) =>
  Array.from(new Uint8Array(content as ArrayBuffer), (byte) => String.fromCharCode(byte)).join("");

export function buildMultipart(
  kind: string,
  parts: readonly string[],
  boundary = kind[0] ?? "",
): string {
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\npreamble\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
}

export const PDF =
  "Content-Type: application/pdf\r\nContent-Disposition: attachment; " +
  "filename=a.pdf\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%PDF \xff\xfe {{name}}";
export const NOTES = "Content-Type: text/plain; name=notes.txt\r\n\r\nNotes for {{name}}";
export const PICTURE =
  "Content-Type: image/png\r\nContent-ID: <pic@x>\r\nContent-Transfer-Encoding: " +
  "base64\r\n\r\niVBORw0KGgo=";
export const CALENDAR =
  "Content-Type: text/calendar; " +
  "method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nSUMMARY:{{name}}\r\nEND:VCALENDAR";
export const PLAIN = "Content-Type: text/plain; charset=utf-8\r\n\r\nHi {{name}}";
export const RICH = "Content-Type: text/html; charset=utf-8\r\n\r\n<p>Hi {{name}}</p>";
