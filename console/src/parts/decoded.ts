// Decodes texts of a URL. Pure.

/** Returns the decoded text. A text with invalid encoding is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
