// Puts the recipient's own link into the texts of one copy. The other variables were rendered when
// the message was accepted (contract.md §Variables). Later changes, such as tracked links, start
// from this result. Pure.
import type { Message, MessageContent } from "../message.ts";
import { fillContentLink, fillLink } from "../recipient-link.ts";

interface Copy {
  readonly message: Message;
  readonly content: MessageContent;
}

/**
 * Puts the link into the texts. `unsubscribeUrl` is an absolute URL, or null if the message has no
 * placeholder. Without a placeholder, returns the given objects unchanged.
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
