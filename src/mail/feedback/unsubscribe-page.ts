// Renders the pages behind an unsubscribe link (contract.md §Unsubscribe pages): a question with a
// button, and a confirmation. Opening the link changes nothing, because programs open links too.
// The button posts the same form as mail clients (RFC 8058). Pure.
import type { UnsubscribeRef } from "../unsubscribe-link.ts";
import type { PageTexts } from "./page-texts.ts";
import { renderPage, renderName } from "./recipient-page.ts";

/**
 * Renders the page that asks whether to unsubscribe. `isRefused`: the visitor posted a form that
 * was not the page's own, so nothing was changed.
 */
export function renderUnsubscribePage(
  ref: UnsubscribeRef,
  texts: PageTexts,
  isRefused = false,
): string {
  const notice = isRefused ? `<p role="alert">${texts.unchanged}</p>\n` : "";
  return renderPage(
    texts.language,
    "envelope",
    texts.question,
    `${notice}<p id="what">${effectOf(ref, texts)}</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<p><button type="submit" aria-describedby="what">${texts.button}</button></p>
</form>
<p class="quiet">${texts.wayOut}</p>`,
  );
}

export function renderUnsubscribedPage(ref: UnsubscribeRef, texts: PageTexts): string {
  return renderPage(
    texts.language,
    "check",
    texts.done,
    `<p role="status">${effectOf(ref, texts)}</p>
<p class="quiet">${texts.afterwards}</p>`,
  );
}

function effectOf({ recipient, topic, sender }: UnsubscribeRef, { effect }: PageTexts): string {
  return effect(renderName(recipient), renderName(topic), renderName(sender));
}
