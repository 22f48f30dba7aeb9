// Sets sentences of the service as the console's own are set. Pure.

/** Returns the sentence with curly apostrophes. A quote in an address stays. */
export function typeset(sentence: string): string {
  return sentence.replaceAll(/(\p{L})'(?=(?:s|t|re|ll|ve)?(?:\s|[.,:;)]|$))/gu, "$1’");
}
