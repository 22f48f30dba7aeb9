// Splits a subject into the words that the `subject` filter compares (contract.md §Pulled history).
// Pure.

/**
 * Matches a word: one character of a script without spaces between words, or a sequence of letters
 * and digits. A combining mark belongs to the letter before it.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}\p{M}])+/gu;
const LONGEST_WORD = 32;
/** Maximum number of words with two or more characters. Single characters have their own limit. */
const WORDS_PER_SUBJECT = 12;
const SINGLES_PER_SUBJECT = 20;

/**
 * Returns a text's first distinct words, in lower case (contract.md §Pulled history). Words have at
 * most 32 characters. Words of one character have a separate limit, so that they do not displace
 * longer words.
 */
export function wordsOf(text: string): string[] {
  // Converts to upper case first, because ß and ss have the same upper case.
  const words =
    text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").match(WORD) ?? [];
  const different = [...new Set(words)].filter(({ length }) => length <= LONGEST_WORD);
  return [
    ...different.filter((word) => !isSingle(word)).slice(0, WORDS_PER_SUBJECT),
    ...different.filter(isSingle).slice(0, SINGLES_PER_SUBJECT),
  ];
}

function isSingle(word: string): boolean {
  return word.length <= 2 && Array.from(word).length === 1;
}
