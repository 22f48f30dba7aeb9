// Fills in the one part of a message that differs from copy to copy: `unsubscribe_url` (contract.md
// §Generated unsubscribe links). Variables are rendered once, when a message is accepted, with a
// placeholder for the link; each copy then gets its recipient's link there. Pure.
import { escapeHtml } from "../lib/template/text.ts";
import type { Message, MessageContent } from "./message.ts";

/**
 * Puts `link` in place of the placeholder, in the subject and headers. Returns the same object when
 * the message has no placeholder.
 */
export function fillLink(message: Message, link: string): Message {
  const { linkPlaceholder: mark, subject, headers } = message;
  if (mark === undefined) return message;
  return {
    ...message,
    subject: subject.replaceAll(mark, () => link),
    headers: headers.map(([name, value]) => [name, value.replaceAll(mark, () => link)]),
  };
}

/** Puts `link` in place of the placeholder, in the text and, escaped, in the HTML. */
export function fillContentLink(
  content: MessageContent,
  mark: string,
  link: string,
): MessageContent {
  const { text, html } = content;
  const escaped = escapeHtml(link);
  return {
    ...content,
    text: text?.replaceAll(mark, () => link) ?? null,
    html: html?.replaceAll(mark, () => escaped) ?? null,
  };
}
