// Decodes the octets of a text part by its charset. Pure.

/**
 * Charsets in which an octet of ASCII can mean another character. Text in any other unknown charset
 * can be read as UTF-8 or Windows-1252.
 */
export const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;

/**
 * Decodes the octets of a part. Octets that are valid UTF-8 are read as UTF-8, whatever charset the
 * part declares. Undefined: the charset is unknown.
 */
export function textInCharset(bytes: Uint8Array, charset: string | null): string | undefined {
  const isAsciiBased = !NOT_ON_ASCII.test(charset ?? "");
  return (
    (isAsciiBased ? decodeText(bytes, "utf-8") : undefined) ??
    decodeText(bytes, charset ?? "windows-1252")
  );
}

function decodeText(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}
