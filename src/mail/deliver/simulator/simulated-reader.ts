// Writes the reply of a simulated reader to the copy's Reply-To (docs/simulator.md). The reply
// quotes the message as mail programs do. Pure, except for a random Message-ID.
import { Buffer } from "node:buffer";
import { dateText } from "../../message-start.ts";
import { replyTokenIn } from "../../reply-address.ts";

/** A reply in the form in which a mail server would deliver it. */
export interface ReaderMail {
  readonly address: string;
  readonly raw: Uint8Array<ArrayBuffer>;
}

const REPLY_TO = /^reply-to:([^\r]*)/im;
const REPLY_ADDRESS = /r\+[a-z2-7]{61}@[^\s>]{1,255}/i;
const SUBJECT = /^subject:[ \t]*([^\r]*)/im;
const MESSAGE_ID = /^message-id:[ \t]*([^\r]*)/im;

/**
 * Writes the reply. Null means that the message does not track replies, so a reader's reply would
 * not come to this service.
 */
export function writeReaderMail(
  copy: Uint8Array,
  recipient: string,
  isVacation: boolean,
  now: number,
): ReaderMail | null {
  const bytes = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
  const header = bytes
    .toString("latin1", 0, Math.max(0, bytes.indexOf("\r\n\r\n")))
    .replaceAll(/\r\n(?=[ \t])/g, "");
  const address = REPLY_ADDRESS.exec(REPLY_TO.exec(header)?.[1] ?? "")?.[0] ?? "";
  if (replyTokenIn(address) === undefined) return null;
  const subject = SUBJECT.exec(header)?.[1] ?? "";
  const date = dateText(now);
  const fields = [
    `From: <${recipient}>`,
    `To: <${address}>`,
    `Subject: ${isVacation ? "Automatic reply: " : "Re: "}${subject}`,
    `Date: ${date}`,
    `Message-ID: <${crypto.randomUUID()}@${recipient.slice(recipient.lastIndexOf("@") + 1)}>`,
    `In-Reply-To: ${MESSAGE_ID.exec(header)?.[1] ?? ""}`,
    ...(isVacation ? ["Auto-Submitted: auto-replied"] : []),
  ];
  const lines = isVacation
    ? ["I am out of the office this week."]
    : ["Thank you, that works.", "", `On ${date}, <${address}> wrote:`, `> ${subject}`];
  const text = [...fields, "", ...lines, ""].join("\r\n");
  return { address, raw: Uint8Array.from(Buffer.from(text, "latin1")) };
}
