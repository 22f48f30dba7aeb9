// Finds the words of a subject, by which `subject` filters (contract.md §Pulled history). Pure.

/**
 * A character of a script that puts no blanks between its words, or else a run of letters and
 * digits. Combining marks belong to the letters before them.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}\p{M}])+/gu;
const LONGEST_WORD = 32;
/** Words of two or more characters, and words of one, that find a subject. */
const WORDS_PER_SUBJECT = 12;
const SINGLES_PER_SUBJECT = 20;

/**
 * Returns the words that find a text, without case (contract.md §Pulled history): the first
 * different ones of up to 32 characters. Those of one character have a limit of their own, so that
 * they keep no longer word out.
 */
export function wordsOf(text: string): string[] {
  // Upper case first, because ß and ss have it in common.
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
