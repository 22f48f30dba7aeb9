// Writes the value of a TXT record as quoted strings, the form that zone files and DNS panels take.
// Pure.

/** The largest size of one string in a TXT record, in octets (RFC 1035 §3.3). */
const STRING_OCTETS = 255;

/**
 * Returns the value as one or more quoted strings. Quotes and backslashes are escaped, and
 * characters that are not printable ASCII are written as `\DDD`.
 */
export function quotedStrings(value: string): string {
  const octets = new TextEncoder().encode(value);
  const strings: string[] = [];
  for (let start = 0; start === 0 || start < octets.length; start += STRING_OCTETS)
    strings.push(`"${[...octets.subarray(start, start + STRING_OCTETS)].map(escaped).join("")}"`);
  return strings.join(" ");
}

function escaped(octet: number): string {
  if (octet < 0x20 || octet > 0x7e) return `\\${String(octet).padStart(3, "0")}`;
  const character = String.fromCodePoint(octet);
  return character === '"' || character === "\\" ? `\\${character}` : character;
}
