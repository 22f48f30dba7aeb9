// Makes and checks API key secrets (contract.md §API keys): `ps_` and 40 base62 characters. The
// last 6 characters are a checksum, so that the service refuses an invented key without a look-up.
// The checksum has two forms. One form is for keys on core shard 0, and so for all older keys. The
// other form is for keys whose first character names the core shard (decision 0032).
import { sha256Hex } from "../../lib/crypto/crypto.ts";

const PREFIX = "ps_";
const RANDOM_CHARACTERS = 34; // 34 × log2(62) = 202 random bits; 196 after a shard's character
const CHECKSUM_CHARACTERS = 6;
const PREFIX_SHOWN = 12; // Length of `key_prefix` (contract.md §API keys).
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The constants of the checksums of keys on core shard 0, and of keys that name their shard. */
const ON_SHARD_0 = 0;
const NAMES_SHARD = 0x53485244;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** Makes a new secret for a team on this core shard, from the platform's random source. */
export function mintSecret(shard = 0): string {
  let random = shard === 0 ? "" : BASE62.charAt(shard);
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(48))) {
      // 248 is 4 × 62. Bytes of 248 or higher are skipped, because they would make the first
      // characters of the alphabet more likely than the rest.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += BASE62[byte % 62];
    }
  }
  return PREFIX + random + checksum(random, shard === 0 ? ON_SHARD_0 : NAMES_SHARD);
}

/**
 * Returns the core shard of the key with this secret. Does not check that the key exists. Returns
 * undefined if the text does not have the form and the checksum of a secret.
 */
export function coreShardOfSecret(text: string): number | undefined {
  if (!SHAPE.test(text)) return undefined;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_CHARACTERS);
  if (text.endsWith(checksum(random, ON_SHARD_0))) return 0;
  const shard = BASE62.indexOf(random.charAt(0));
  return shard > 0 && text.endsWith(checksum(random, NAMES_SHARD)) ? shard : undefined;
}

/** Returns the hash that is stored and looked up instead of the secret. */
export function hashSecret(secret: string): Promise<string> {
  return sha256Hex(secret);
}

export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_SHOWN);
}

/** Returns the CRC-32 (ISO-HDLC) of the characters in base62, combined with `constant`. */
function checksum(text: string, constant: number): string {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let value = (crc ^ 0xffffffff ^ constant) >>> 0;
  let digits = "";
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
