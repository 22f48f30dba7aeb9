// Sets words and sentences of the service in the console's own typography. Pure.

/** Returns the sentence with curly apostrophes. Quotes inside addresses are unchanged. */
export function typeset(sentence: string): string {
  return sentence.replaceAll(/(\p{L})'(?=(?:s|t|re|ll|ve)?(?:\s|[.,:;)]|$))/gu, "$1’");
}

/** Returns the text with a capital letter at its beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a message's subject for display. */
export function subjectText(subject: string): string {
  return subject === "" ? "(no subject)" : subject;
}
