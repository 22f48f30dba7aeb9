// Finds the DNS names in a sentence, so that the page can set them as code. Pure.

export interface SentencePart {
  readonly words: string;
  readonly isName: boolean;
  /** The index in the sentence at which this part begins. */
  readonly at: number;
}

/**
 * A name has two labels or more, and its last label has a letter: `ps1._domainkey.acme.shop`
 * matches, `1.3` does not.
 */
const NAME = /(?<![\w@.-])(?:[\w-]+\.)+(?=[\w-]*[A-Za-z])[\w-]+(?![\w@-])/g;

export function namesIn(sentence: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  let end = 0;
  for (const { 0: words, index } of sentence.matchAll(NAME)) {
    if (index > end) parts.push({ words: sentence.slice(end, index), isName: false, at: end });
    parts.push({ words, isName: true, at: index });
    end = index + words.length;
  }
  if (end < sentence.length) parts.push({ words: sentence.slice(end), isName: false, at: end });
  return parts;
}
