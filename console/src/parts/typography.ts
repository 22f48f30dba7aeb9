// Sets sentences of the service in the console's own typography. Pure.

/** Returns the sentence with curly apostrophes. Quotes inside addresses are unchanged. */
export function typeset(sentence: string): string {
  return sentence.replaceAll(/(\p{L})'(?=(?:s|t|re|ll|ve)?(?:\s|[.,:;)]|$))/gu, "$1’");
}
