// The one message that every bench and every peer sends: some 2 KB as a request, text and HTML, one recipient.

export const SENDER_DOMAIN = "bench.example";

export const MESSAGE = {
  from: `Bench <hello@${SENDER_DOMAIN}>`,
  to: ["someone@recipient.example"],
  subject: "Your receipt of 20 November",
  text: paragraph("Thank you for your order, it is on its way. ", 700),
  html: `<html><body><h1>Thank you</h1><p>${paragraph("Your <b>order</b> is on its way; &euro; 12.50 were paid. ", 1_050)}</p></body></html>`,
  tags: ["receipt"],
};

export const MESSAGE_JSON = JSON.stringify(MESSAGE);

/** Lines of that sentence, up to about so many characters. */
function paragraph(sentence: string, characters: number): string {
  return `${sentence}\n`.repeat(Math.floor(characters / (sentence.length + 1)));
}
