// Encrypts secrets at rest with AES-256-GCM under one key. Each box is bound to its context, such
// as the row that stores it, so a box that is copied elsewhere cannot be opened.
import { decodeBase64, encodeBase64 } from "./base64.ts";

const NONCE_BYTES = 12;

/** Encrypts a text. Returns the base64 of a random nonce and the ciphertext. `key` has 32 bytes. */
export async function sealBox(
  key: Uint8Array<ArrayBuffer>,
  context: string,
  plaintext: Uint8Array,
): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const imported = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  const ciphertext = await crypto.subtle.encrypt(parameters(nonce, context), imported, plaintext);
  const sealed = new Uint8Array(NONCE_BYTES + ciphertext.byteLength);
  sealed.set(nonce);
  sealed.set(new Uint8Array(ciphertext), NONCE_BYTES);
  return encodeBase64(sealed);
}

/** Decrypts a box. Throws when the key or the context differs, or the box is damaged. */
export async function openBox(
  key: Uint8Array<ArrayBuffer>,
  context: string,
  sealed: string,
): Promise<ArrayBuffer> {
  const bytes = decodeBase64(sealed);
  if (!bytes || bytes.length <= NONCE_BYTES)
    throw new Error(`the sealed box for \`${context}\` is not readable`);
  const imported = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  return crypto.subtle.decrypt(
    parameters(bytes.subarray(0, NONCE_BYTES), context),
    imported,
    bytes.subarray(NONCE_BYTES),
  );
}

function parameters(nonce: Uint8Array<ArrayBuffer>, context: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(context) };
}
