// Fills in the only variable whose value differs between copies: `unsubscribe_url` (contract.md
// §Generated unsubscribe links). The acceptance of a message renders its variables once, with a
// placeholder for this variable. Each copy then gets its recipient's link instead of the
// placeholder. Pure.
import { escapeHtml } from "../lib/template/text.ts";
import type { Message, MessageContent } from "./message.ts";

/**
 * Replaces the placeholder in the subject and headers by `link`. Returns the same object if the
 * message has no placeholder.
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

/** Replaces the placeholder in the message's text and HTML by `link`. */
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
