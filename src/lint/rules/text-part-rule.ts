// Finds a mail whose plain text is missing or says less than its HTML. People who read only the
// text then miss something, and spam filters compare both parts (RFC 2046 §5.1.4; SpamAssassin's
// MIME_HTML_ONLY and MPART_ALT_DIFF). Pure.
import type { CheckedMail, AddProblem } from "../checked-mail.ts";
import type { HtmlVisitor } from "../html-visitor.ts";

/** Minimum number of words in the HTML, so that a few words never decide the comparison. */
const COMPARED_WORDS = 20;
/** Minimum share of the HTML's different words that the text should have. */
const LEAST_SHARE = 0.5;
const WORD = /[\p{L}\p{N}]{3,}/gu;
const PLACE = { field: "text", line: null, column: null };

export function beginTextPart({ text, html }: CheckedMail, report: AddProblem): HtmlVisitor {
  if (!html || text === undefined) return {};
  if (text === null || text.trim() === "") {
    report({
      severity: "warning",
      at: PLACE,
      message: "The mail has HTML but no text part.",
      help:
        "Add `text`, or send a template: its text is derived. Some readers see only text, and " +
        "spam filters count its absence (SpamAssassin: MIME_HTML_ONLY).",
    });
    return {};
  }
  const words = new Set<string>();
  return {
    text: (visible) => addWords(visible, words),
    end: () => {
      if (words.size < COMPARED_WORDS) return;
      const own = new Set<string>();
      addWords(text, own);
      const same = [...words].filter((word) => own.has(word)).length;
      if (same >= words.size * LEAST_SHARE) return;
      report({
        severity: "warning",
        at: PLACE,
        message: `The text part has ${same} of the ${words.size} different words of the HTML.`,
        help:
          "Say the same in both parts (RFC 2046 §5.1.4): some readers see only the text, and " +
          "spam filters compare them (SpamAssassin: MPART_ALT_DIFF).",
      });
    },
  };
}

function addWords(text: string, words: Set<string>): void {
  for (const [word] of text.toLowerCase().matchAll(WORD)) words.add(word);
}
