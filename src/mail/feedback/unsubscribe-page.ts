// The page behind an unsubscribe link (wire.md "Unsubscribe"): a question and a button, since programs that look at links must change nothing by looking; and
// what it says when it is done. The button sends what mail programs send (RFC 8058). Pure.
import type { UnsubscribeRef } from "../unsubscribe-link.ts";
import { page, quoted } from "./page.ts";

export function unsubscribePage({ recipient, topic, sender }: UnsubscribeRef): string {
  return page(
    "Unsubscribe?",
    `<p id="what">${quoted(recipient)} will no longer get ${quoted(topic)} email from ${quoted(sender)}.</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<p><button type="submit" aria-describedby="what">Unsubscribe</button></p>
</form>
<p class="quiet">Not you, or opened by accident? Close this page, and nothing changes.</p>`,
  );
}

export function unsubscribedPage({ recipient, topic, sender }: UnsubscribeRef): string {
  return page(
    "You are unsubscribed",
    `<p role="status">${quoted(recipient)} will no longer get ${quoted(topic)} email from ${quoted(sender)}.</p>
<p class="quiet">A message that is already on its way may still arrive. You can close this page.</p>`,
  );
}
