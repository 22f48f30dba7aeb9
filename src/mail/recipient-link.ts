// Marks the one word of a message that differs from copy to copy: `unsubscribe_url` (contract.md
// §Generated unsubscribe links). Variables are rendered once, when a message is accepted, with a
// mark in its place; each copy then gets its recipient's link there. Pure.
import { escapeHtml } from "../lib/template/text.ts";
import type { Message, MessageContent } from "./message.ts";

/**
 * The message's subject and headers with `link` at the mark. The same object when it has no mark.
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

/** The same for its text and HTML. */
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
