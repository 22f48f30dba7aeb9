// The page behind an unsubscribe link (contract.md §Unsubscribe pages): a question and a button,
// since programs that look at links must change nothing by looking; and what it says when it is
// done. The button sends what mail programs send (RFC 8058). Pure.
import type { UnsubscribeRef } from "../unsubscribe-link.ts";
import type { PageWords } from "./page-words.ts";
import { page, quoted } from "./recipient-page.ts";

/** `isRefused`: a form was posted that is not the page's own, and nothing came of it. */
export function unsubscribePage(ref: UnsubscribeRef, words: PageWords, isRefused = false): string {
  const notice = isRefused ? `<p role="alert">${words.unchanged}</p>\n` : "";
  return page(
    words.language,
    "envelope",
    words.question,
    `${notice}<p id="what">${effectOf(ref, words)}</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<p><button type="submit" aria-describedby="what">${words.button}</button></p>
</form>
<p class="quiet">${words.wayOut}</p>`,
  );
}

export function unsubscribedPage(ref: UnsubscribeRef, words: PageWords): string {
  return page(
    words.language,
    "check",
    words.done,
    `<p role="status">${effectOf(ref, words)}</p>
<p class="quiet">${words.afterwards}</p>`,
  );
}

function effectOf({ recipient, topic, sender }: UnsubscribeRef, { effect }: PageWords): string {
  return effect(quoted(recipient), quoted(topic), quoted(sender));
}
