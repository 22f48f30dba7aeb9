// Renders the pages behind an unsubscribe link (contract.md §Unsubscribe pages): a question with a
// button, a confirmation with an undo button, and the confirmation of the undo. Opening the link
// changes nothing, because programs also open links. The first button posts the same form as mail
// clients (RFC 8058). Pure.
import type { UnsubscribeRef } from "../unsubscribe-link.ts";
import type { PageTexts } from "./page-texts.ts";
import { renderPage, renderName } from "./recipient-page.ts";

/** The name and value that the undo button posts. */
export const WAY_BACK = { name: "Unsubscribe", value: "Undo" } as const;

/**
 * Renders the page that asks whether to unsubscribe. `isRefused` means that the visitor posted a
 * form that was not the page's own, so nothing was changed.
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
    `${notice}<p id="what">${sentenceOf(ref, texts.beforehand ?? texts.effect)}</p>
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
    `<p role="status">${sentenceOf(ref, texts.effect)}</p>
<p class="quiet">${texts.afterwards}</p>
<form method="post">
<input type="hidden" name="${WAY_BACK.name}" value="${WAY_BACK.value}">
<p class="quiet" id="mistake">${texts.mistake}</p>
<p><button type="submit" class="second" aria-describedby="mistake">${texts.again}</button></p>
</form>`,
  );
}

/** Renders the page after the visitor undid the unsubscription. */
export function renderSubscribedPage(ref: UnsubscribeRef, texts: PageTexts): string {
  return renderPage(
    texts.language,
    "check",
    texts.back,
    `<p role="status">${sentenceOf(ref, texts.backEffect)}</p>`,
  );
}

function sentenceOf(
  { recipient, topic, sender }: UnsubscribeRef,
  sentence: PageTexts["effect"],
): string {
  return sentence(renderName(recipient), renderName(topic), renderName(sender));
}
