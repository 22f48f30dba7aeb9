// Puts facts into the texts of explanations. Pure.

/** Facts by the names that the texts have in braces. */
export type TextFacts = Readonly<Record<string, string>>;

/** Replaces each name in braces by its fact. A name without a fact stays in the text. */
export function fill(text: string, words: TextFacts): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}
