// Reads TXT records that are tag lists, such as DKIM and DMARC records (RFC 6376 §3.2). Pure.

export function isKeyRecord(text: string): boolean {
  return parseTags(text).has("p");
}

/**
 * Returns whether the TXT records contain this DKIM key and no second key. With two keys, a
 * verifier may use the wrong key.
 */
export function hasOnlyKey(texts: readonly string[], publicKey: string): boolean {
  const keys = texts.map(parseTags).filter((tags) => tags.has("p"));
  return (
    keys.length > 0 &&
    keys.every(
      (tags) =>
        (tags.get("v") ?? "DKIM1") === "DKIM1" &&
        (tags.get("k") ?? "rsa") === "rsa" &&
        tags.get("p") === publicKey,
    )
  );
}

/** Parses a DKIM tag list (RFC 6376 §3.2), with white space removed from the values. */
export function parseTags(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0)
      tags.set(part.slice(0, equals).trim(), part.slice(equals + 1).replace(/\s+/g, ""));
  }
  return tags;
}
