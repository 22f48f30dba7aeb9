// Finds the names of DNS in a sentence, so that they can be quoted. Pure.

export interface SentencePart {
  readonly words: string;
  readonly isName: boolean;
  /** The part's first place in the sentence. */
  readonly at: number;
}

/** Two labels or more, the last of which has a letter: `ps1._domainkey.acme.shop`, and not `1.3`. */
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
