// Reads the header of a message for the Email Service. Writes the outgoing message with the Email
// Service's Date, Message-ID and trace fields. The double does not sign messages.
import { SendRefusal } from "./send-refusal.ts";

/** Fields of the sender that the outgoing message does not have. */
const REPLACED: ReadonlySet<string> = new Set(["date", "message-id", "bcc"]);

export interface RawField {
  readonly name: string;
  /** The field's value without folding. Each character stands for one byte. */
  readonly value: string;
  /** The field's lines as received, without the last line end. */
  readonly lines: readonly string[];
}

export interface RawMessage {
  readonly fields: readonly RawField[];
  readonly body: Buffer;
}

export interface ServiceFields {
  readonly messageId: string;
  readonly feedbackId: string;
  readonly takenAt: Date;
}

/** Splits a message. Throws a SendRefusal if the header can't be read. */
export function readMessage(raw: Buffer): RawMessage {
  const crlf = raw.indexOf("\r\n\r\n");
  const lf = raw.indexOf("\n\n");
  const isCrlf = crlf >= 0 && (lf < 0 || crlf < lf);
  const end = isCrlf ? crlf : lf;
  if (end < 0)
    throw new SendRefusal("E_VALIDATION_ERROR", "could not parse email: the header has no end");
  const fields: { name: string; lines: string[] }[] = [];
  for (const line of raw.toString("latin1", 0, end).split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) {
      const last = fields.at(-1);
      if (!last) throw unreadable(line);
      last.lines.push(line);
    } else {
      const colon = line.indexOf(":");
      if (colon < 1) throw unreadable(line);
      fields.push({ name: line.slice(0, colon).trimEnd(), lines: [line] });
    }
  }
  return {
    fields: fields.map(({ name, lines }) => ({ name, lines, value: valueOf(lines) })),
    body: raw.subarray(end + (isCrlf ? 4 : 2)),
  };
}

/** Returns the decoded value of the first field with this name, or undefined. */
export function fieldValue({ fields }: RawMessage, name: string): string | undefined {
  const field = fields.find((one) => one.name.toLowerCase() === name);
  return field && Buffer.from(field.value, "latin1").toString("utf8");
}

/** Returns the address in a From field: between angle brackets, or else the whole value. */
export function addressIn(from: string): string {
  const open = from.lastIndexOf("<");
  const close = from.indexOf(">", open);
  return open >= 0 && close > open ? from.slice(open + 1, close) : from.trim();
}

export function writeMessage(
  { fields, body }: RawMessage,
  { messageId, feedbackId, takenAt }: ServiceFields,
): Buffer {
  const hasVersion = fields.some(({ name }) => name.toLowerCase() === "mime-version");
  const date = takenAt.toUTCString().replace("GMT", "+0000");
  const id = messageId.slice(1, messageId.indexOf("@"));
  const lines = [
    `Received: from worker.localhost by email-service.localhost with HTTP id ${id}; ${date}`,
    `Feedback-ID: ${feedbackId}`,
    `Date: ${date}`,
    `Message-ID: ${messageId}`,
    ...(hasVersion ? [] : ["MIME-Version: 1.0"]),
    ...fields.filter(({ name }) => !REPLACED.has(name.toLowerCase())).flatMap((one) => one.lines),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

function valueOf(lines: readonly string[]): string {
  const unfolded = lines.join("");
  return unfolded.slice(unfolded.indexOf(":") + 1).trim();
}

function unreadable(line: string): SendRefusal {
  const start = line.slice(0, 40);
  return new SendRefusal(
    "E_VALIDATION_ERROR",
    `could not parse email: the line '${start}' is not a header field`,
  );
}
