// Puts facts into the texts of explanations. Pure.

/** Facts by the names that stand in braces in the texts. */
export type TextFacts = Readonly<Record<string, string>>;

/** Replaces each name in braces by its word. A name without a word stays. */
export function fill(text: string, words: TextFacts): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}
