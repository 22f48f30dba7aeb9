// Writes an answer to a message of the inbox as mail programs do, so that a developer sees which
// answer arrives (docs/local.md §Replies). Each quotation has its program's own form.
import { randomUUID } from "node:crypto";
import PostalMime, { type Email } from "postal-mime";
import { Problem } from "../http-server.ts";

/** The mail programs, and the automatic vacation note. */
export const REPLY_PROGRAMS = ["gmail", "outlook", "apple", "phone", "vacation"] as const;
export type ReplyProgram = (typeof REPLY_PROGRAMS)[number];

export interface WrittenReply {
  /**
   * The envelope sender. Empty means the null sender, which a vacation note has (RFC 3834 §3.3).
   */
  readonly mailFrom: string;
  readonly rcptTo: string;
  readonly message: Buffer;
}

interface Quoted {
  readonly author: string;
  readonly recipient: string;
  readonly subject: string;
  readonly date: Date;
  readonly lines: readonly string[];
}

interface Written {
  readonly text: string;
  /** Null: the program writes plain text only. */
  readonly html: string | null;
}

const NAME = "A reader";
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** Writes the answer. `recipient` is the person whose copy is answered. */
export async function writeReply(
  raw: Buffer,
  recipient: string,
  program: ReplyProgram,
  answer: string,
): Promise<WrittenReply> {
  const original = await PostalMime.parse(raw);
  const rcptTo = (original.replyTo?.[0] ?? original.from)?.address;
  if (rcptTo === undefined) throw new Problem(422, "the message names no address to answer to");
  const quoted = quotedOf(original, recipient);
  const { text, html } = BODIES[program](answer, quoted);
  const subject =
    program === "vacation"
      ? `Automatic reply: ${quoted.subject}`
      : `Re: ${quoted.subject.replace(/^re: /i, "")}`;
  const header = [
    `From: ${NAME} <${recipient}>`,
    `To: <${rcptTo}>`,
    `Subject: ${encodeWords(subject)}`,
    `Date: ${new Date().toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${randomUUID()}@${recipient.slice(recipient.lastIndexOf("@") + 1)}>`,
    ...(original.messageId ? [`In-Reply-To: ${original.messageId}`] : []),
    ...(program === "vacation" ? ["Auto-Submitted: auto-replied", "Precedence: bulk"] : []),
    "MIME-Version: 1.0",
  ];
  const message = Buffer.from(`${header.join("\r\n")}\r\n${entityOf(text, html)}`);
  return { mailFrom: program === "vacation" ? "" : recipient, rcptTo, message };
}

const BODIES: Readonly<Record<ReplyProgram, (answer: string, quoted: Quoted) => Written>> = {
  gmail: (answer, { author, date, lines }) => {
    const intro = `On ${DAYS[date.getUTCDay()]}, ${monthDay(date)} at ${clock(date)} ${author} wrote:`;
    return {
      text: `${answer}\n\n${intro}\n\n${marked(lines)}`,
      html:
        `<div dir="ltr">${htmlOf(answer)}</div><br><div class="gmail_quote gmail_quote_container">` +
        `<div dir="ltr" class="gmail_attr">${htmlOf(intro)}<br></div>` +
        `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid ` +
        `rgb(204,204,204);padding-left:1ex">${htmlOf(lines.join("\n"))}</blockquote></div>`,
    };
  },
  outlook: (answer, { author, recipient, subject, date, lines }) => {
    const fields = [
      `From: ${author}`,
      `Sent: ${DAYS[date.getUTCDay()]}, ${monthDay(date)} ${clock(date)}`,
      `To: ${recipient}`,
      `Subject: ${subject}`,
    ];
    return {
      text: `${answer}\n\n${"_".repeat(32)}\n${fields.join("\n")}\n\n${lines.join("\n")}`,
      html:
        `<div class="elementToProof">${htmlOf(answer)}</div><hr tabindex="-1">` +
        `<div id="divRplyFwdMsg" dir="ltr">${htmlOf(fields.join("\n"))}</div>` +
        `<div>${htmlOf(lines.join("\n"))}</div>`,
    };
  },
  apple: (answer, { author, date, lines }) => ({
    text: `${answer}\n\n> On ${dayMonth(date)}, at ${date.toISOString().slice(11, 16)}, ${author} wrote:\n> \n${marked(lines)}`,
    html: null,
  }),
  phone: (answer, { author, date, lines }) => ({
    text: `${answer}\n\nSent from my iPhone\n\n> On ${monthDay(date)}, at ${clock(date)}, ${author} wrote:\n> \n${marked(lines)}`,
    html: null,
  }),
  vacation: (answer) => ({ text: answer, html: null }),
};

function quotedOf(original: Email, recipient: string): Quoted {
  const { name = "", address = "" } = original.from ?? {};
  const text = original.text ?? (original.html ?? "").replace(/<[^<>]*>/g, " ");
  return {
    author: name ? `${name} <${address}>` : address,
    recipient,
    subject: original.subject ?? "",
    date: new Date(original.date ?? Date.now()),
    lines: text.trimEnd().split(/\r?\n/),
  };
}

function entityOf(text: string, html: string | null): string {
  if (html === null) return partOf("text/plain", text);
  const boundary = randomUUID();
  const parts = [partOf("text/plain", text), partOf("text/html", html)];
  return (
    `Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n` +
    `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`
  );
}

function partOf(type: string, content: string): string {
  const data = Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n");
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${data}`;
}

function encodeWords(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
}

function marked(lines: readonly string[]): string {
  return lines.map((line) => `> ${line}`).join("\n");
}

function htmlOf(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br>");
}

function monthDay(date: Date): string {
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

function dayMonth(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function clock(date: Date): string {
  const hour = date.getUTCHours();
  return `${hour % 12 || 12}:${String(date.getUTCMinutes()).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}
