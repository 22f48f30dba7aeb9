// The words of one recipient's copy (spec.md "Send request", `variables`): what was rendered when the message was accepted, with the recipient's own link
// in it. Whatever else changes a copy's words, such as tracked links, goes on from what this returns.
import type { Message, MessageContent } from "../message.ts";
import { contentWithLink, withLink } from "../recipient-link.ts";

interface Copy {
  readonly message: Message;
  readonly content: MessageContent;
}

/** `unsubscribeUrl` is absolute; null only for a message without links of its recipients' own. Nothing is copied where there is nothing to fill in. */
export function renderCopy(message: Message, content: MessageContent, unsubscribeUrl: string | null): Copy {
  const { linkMark } = message;
  if (linkMark === undefined) return { message, content };
  if (unsubscribeUrl === null) throw new Error(`${message.id} was given no unsubscribe link`);
  return { message: withLink(message, unsubscribeUrl), content: contentWithLink(content, linkMark, unsubscribeUrl) };
}
