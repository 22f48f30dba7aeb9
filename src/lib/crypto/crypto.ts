// Wraps WebCrypto for the service's needs: SHA-256 in hex, HMAC-SHA-256 under a key derived for one
// purpose, and constant-time comparison.

// A type that exists in both Workers' and Node's types.
type CryptoKey = Parameters<typeof crypto.subtle.sign>[1];

const encoder = new TextEncoder();
const hmacKeys = new Map<string, CryptoKey>();

export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/**
 * Returns the HMAC-SHA-256 (32 bytes) of `data` under a key derived for `purpose`, so that a token
 * for one purpose is not valid for another purpose. The isolate caches derived keys.
 */
export async function sign(
  signingKey: string,
  purpose: string,
  data: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = `${purpose}\0${signingKey}`;
  let key = hmacKeys.get(name);
  if (!key) {
    key = await deriveKey(signingKey, purpose);
    hmacKeys.set(name, key);
  }
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

async function deriveKey(signingKey: string, purpose: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const root = await crypto.subtle.importKey("raw", encoder.encode(signingKey), algorithm, false, [
    "sign",
  ]);
  const derived = await crypto.subtle.sign("HMAC", root, encoder.encode(purpose));
  return crypto.subtle.importKey("raw", derived, algorithm, false, ["sign"]);
}

/** Imports `bytes` as an HMAC-SHA-256 key without derivation, for schemes that others define. */
export async function importHmacKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Returns the HMAC-SHA-256 (32 bytes) of `data`. */
export async function signWith(key: CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

/** Compares two values in a time that does not reveal where they differ. */
export function equalInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index += 1)
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}
