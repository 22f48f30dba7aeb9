// Reads a whole message, such as a file `.eml`, as a mail to judge. Pure.
import { readMessage } from "../lib/mime/readable-message.ts";
import { toCrlfLines } from "../lib/mime/line-ends.ts";
import type { CheckedMail } from "./checked-mail.ts";

/**
 * Reads a message. It counts as the copy that a recipient gets, so nothing is tracked again.
 * `ownUrls` are the beginnings of the service's own links.
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
    attachments: checkedFiles(attachments),
    copyBytes: message.length,
    courier: null,
    clickHost: null,
    ownUrls,
  };
}

export function checkedFiles(
  attachments: readonly { readonly filename: string; readonly contentId: string | null }[],
): CheckedMail["attachments"] {
  return attachments.map(({ filename, contentId }, index) => ({
    field: `attachments.${index}`,
    name: filename,
    contentId,
  }));
}

/** Makes the HTML to judge from HTML that is neither rendered nor tracked. */
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
