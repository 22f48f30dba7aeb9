// The message that every bench and every peer sends. It has about 2 KB as a request, text and HTML,
// and one recipient. The file also has a batch of a hundred such messages.

export const SENDER_DOMAIN = "bench.example";

export const MESSAGE = {
  from: `Bench <hello@${SENDER_DOMAIN}>`,
  to: ["someone@recipient.example"],
  subject: "Your receipt of 20 November",
  text: paragraph("Thank you for your order, it is on its way. ", 700),
  html: `<html><body><h1>Thank you</h1><p>${paragraph("Your <b>order</b> is on its way; &euro; 12.50 were paid. ", 1_050)}</p></body></html>`,
  tags: ["receipt"],
};

/** Returns the sample message with its own recipient and subject, for a realistic history. */
export function numberedMessage(number: number): object {
  return {
    ...MESSAGE,
    to: [`customer-${number}@recipient.example`],
    subject: `Your receipt no. ${number}`,
  };
}

/** The body of one request. */
export interface Send {
  readonly path: string;
  readonly body: string;
  readonly messages: number;
}

const BATCH_MESSAGES = 100;

export const SINGLE: Send = { path: "/v1/email", body: JSON.stringify(MESSAGE), messages: 1 };

/** Returns the sample message with an attachment of this many kilobytes. */
export function attachedSend(kilobytes: number): Send {
  const bytes = Buffer.alloc(kilobytes * 1_024, "%PDF-1.7 of random length; ");
  const attachment = { filename: "receipt.pdf", content: bytes.toString("base64") };
  const body = JSON.stringify({ ...MESSAGE, attachments: [attachment] });
  return { ...SINGLE, body };
}

/** A batch of messages to a hundred recipients. Each message is complete. */
export const BATCH: Send = {
  path: "/v1/email/batch",
  body: JSON.stringify({
    emails: Array.from({ length: BATCH_MESSAGES }, (_, index) => ({
      ...MESSAGE,
      to: [`someone-${index}@recipient.example`],
    })),
  }),
  messages: BATCH_MESSAGES,
};

/** Repeats the sentence in lines, up to about this many characters. */
function paragraph(sentence: string, characters: number): string {
  return `${sentence}\n`.repeat(Math.floor(characters / (sentence.length + 1)));
}
