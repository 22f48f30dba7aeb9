// Reads a whole message, such as a file `.eml`, as a mail to judge. Pure.
import { readMessage } from "../lib/mime/readable-message.ts";
import { toCrlfLines } from "../lib/mime/line-ends.ts";
import type { CheckedMail } from "./checked-mail.ts";

/**
 * `ownUrls`: URLs that begin so are the service's own links. The message is taken for the copy, so
 * nothing is tracked any more.
 */
export async function readMail(
  message: Uint8Array,
  ownUrls: readonly string[] = [],
): Promise<CheckedMail> {
  const { text, html, attachments } = await readMessage(toCrlfLines(message));
  const sources = [
    { field: "html", text: html ?? "" },
    { field: "text", text: text ?? "" },
  ];
  return {
    html: html === null ? null : wholeHtml(html),
    text,
    variables: { sources, values: null, given: [] },
    attachments: attachments.map(({ filename, contentId }, index) => ({
      field: `attachments.${index}`,
      name: filename,
      contentId,
    })),
    copyBytes: message.length,
    courier: null,
    clickHost: null,
    ownUrls,
  };
}

/** HTML that is judged as it is: nothing is rendered, and nothing is tracked. */
export function wholeHtml(html: string, field = "html"): NonNullable<CheckedMail["html"]> {
  return {
    field,
    source: html,
    markup: html,
    origin: "same",
    isTemplate: html.includes("{{"),
    copyBytes: new TextEncoder().encode(html).length,
  };
}
