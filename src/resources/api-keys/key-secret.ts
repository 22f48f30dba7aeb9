// Makes and checks API key secrets (contract.md §API keys): `ps_` and 40 base62 characters. The
// last 6 are a checksum, so that an invented key costs no look-up.
import { sha256Hex } from "../../lib/crypto/crypto.ts";

const PREFIX = "ps_";
const RANDOM_CHARACTERS = 34; // 34 × log2(62) = 202 random bits
const CHECKSUM_CHARACTERS = 6;
const PREFIX_SHOWN = 12; // Length of `key_prefix` (contract.md §API keys).
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** Makes a new secret from the platform's random source. */
export function mintSecret(): string {
  let random = "";
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(48))) {
      // 248 is 4 × 62. Bytes from 248 on are skipped, because they would make the first characters
      // of the alphabet more likely.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += BASE62[byte % 62];
    }
  }
  return PREFIX + random + checksum(random);
}

/** Tells whether a text has the form and the checksum of a secret. */
export function hasSecretFormat(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_CHARACTERS);
  return text.endsWith(checksum(random));
}

/** Returns the hash that is stored and looked up instead of the secret. */
export function hashSecret(secret: string): Promise<string> {
  return sha256Hex(secret);
}

export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_SHOWN);
}

/** Returns the CRC-32 (ISO-HDLC) of the characters in base62. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
