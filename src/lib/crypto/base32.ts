// Base32 (RFC 4648) in lower case without padding; decoding ignores case. It can be used in the
// local part of an address. Pure.

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

export function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

/**
 * Decodes base32. Returns undefined for a character that is not base32, a surplus character, or
 * non-zero leftover bits.
 */
export function decodeBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let length = 0;
  let bits = 0;
  let value = 0;
  for (const character of text.toLowerCase()) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    value = (value << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[length] = value >>> bits;
      length += 1;
    }
    value &= (1 << bits) - 1;
  }
  return bits < 5 && value === 0 ? bytes : undefined;
}
