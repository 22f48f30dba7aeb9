// Fills in the only variable whose value differs between copies: `unsubscribe_url` (contract.md
// §Generated unsubscribe links). Variables are rendered once, when a message is accepted, with a
// placeholder for this variable. Each copy then gets its recipient's link in place of the
// placeholder. Pure.
import { escapeHtml } from "../lib/template/text.ts";
import type { Message, MessageContent } from "./message.ts";

/**
 * Puts `link` in place of the placeholder in the subject and headers. Returns the same object if
 * the message has no placeholder.
 */
export function fillLink(message: Message, link: string): Message {
  const { linkPlaceholder: placeholder, subject, headers } = message;
  if (placeholder === undefined) return message;
  return {
    ...message,
    subject: subject.replaceAll(placeholder, () => link),
    headers: headers.map(([name, value]) => [name, value.replaceAll(placeholder, () => link)]),
  };
}

/**
 * Puts `link` in place of the placeholder in the message's text and HTML.
 */
export function fillContentLink(
  content: MessageContent,
  placeholder: string,
  link: string,
): MessageContent {
  const { text, html } = content;
  const escaped = escapeHtml(link);
  return {
    ...content,
    text: text?.replaceAll(placeholder, () => link) ?? null,
    html: html?.replaceAll(placeholder, () => escaped) ?? null,
  };
}
