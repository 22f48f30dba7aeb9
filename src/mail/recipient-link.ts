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

/**
 * Replaces the placeholder in the message and its content. `link` is an absolute URL, or null if
 * the message has no placeholder. Then returns the given objects unchanged.
 */
export function renderCopy(
  message: Message,
  content: MessageContent,
  link: string | null,
): { readonly message: Message; readonly content: MessageContent } {
  const { linkPlaceholder: placeholder } = message;
  if (placeholder === undefined) return { message, content };
  if (link === null) throw new Error(`${message.id} was given no unsubscribe link`);
  const { text, html } = content;
  const escaped = escapeHtml(link);
  return {
    message: fillLink(message, link),
    content: {
      ...content,
      text: text?.replaceAll(placeholder, () => link) ?? null,
      html: html?.replaceAll(placeholder, () => escaped) ?? null,
    },
  };
}
