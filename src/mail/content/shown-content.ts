// Makes the form in which a message's content is shown (contract.md §Kept content): as it was
// accepted, before tracking. A dead link replaces each recipient's own link. So no link in shown
// content unsubscribes a recipient or counts a click. Pure.
import type { Mailbox, Message, MessageContent } from "../message.ts";
import { renderCopy } from "../recipient-link.ts";
import { decodeContent, type StoredContent } from "../stored-content.ts";
import { readMessage } from "../../lib/mime/readable-message.ts";

export interface ShownContent extends MessageContent {
  /** The header's fields by name. Fields with the same name are joined with line breaks. */
  readonly headers: Readonly<Record<string, string>>;
}

/** No name below `invalid.` exists (RFC 6761 §6.4), so the link leads nowhere. */
const DEAD_LINK = "https://unsubscribe.invalid/";

export async function showContent(message: Message, stored: StoredContent): Promise<ShownContent> {
  const content =
    message.source === "raw"
      ? await readMessage(stored as Uint8Array<ArrayBuffer>)
      : decodeContent(stored);
  const shown = renderCopy(message, content, DEAD_LINK);
  const { html, text, attachments } = shown.content;
  return { html, text, headers: headersOf(shown.message), attachments };
}

function headersOf(message: Message): Record<string, string> {
  const { from, to, cc, replyTo, subject, messageId, headers } = message;
  const fields: (readonly [name: string, value: string])[] = [
    ["From", listOf([from])],
    ["To", listOf(to)],
    ["Cc", listOf(cc)],
    ["Reply-To", listOf(replyTo)],
    ["Subject", subject],
    ["Message-ID", messageId],
    ...headers,
  ];
  const shown = new Map<string, string>();
  for (const [name, value] of fields) {
    const before = shown.get(name);
    if (value !== "") shown.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(shown);
}

function listOf(mailboxes: readonly Mailbox[]): string {
  return mailboxes
    .map(({ name, email }) => (name === null ? email : `${name} <${email}>`))
    .join(", ");
}
