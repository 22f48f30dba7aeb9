// Puts the recipient's own link into the words of one copy, which were rendered when the message
// was accepted (contract.md §Variables). Every later change of a copy's words, such as tracked
// links, goes on from the result.
import type { Message, MessageContent } from "../message.ts";
import { fillContentLink, fillLink } from "../recipient-link.ts";

interface Copy {
  readonly message: Message;
  readonly content: MessageContent;
}

/**
 * `unsubscribeUrl` is absolute; null only for a message without links of its recipients' own.
 * Nothing is copied where there is nothing to fill in.
 */
export function renderCopy(
  message: Message,
  content: MessageContent,
  unsubscribeUrl: string | null,
): Copy {
  const { linkPlaceholder } = message;
  if (linkPlaceholder === undefined) return { message, content };
  if (unsubscribeUrl === null) throw new Error(`${message.id} was given no unsubscribe link`);
  return {
    message: fillLink(message, unsubscribeUrl),
    content: fillContentLink(content, linkPlaceholder, unsubscribeUrl),
  };
}
