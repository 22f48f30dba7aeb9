// Makes and reads signed recipient tokens (contract.md §Return-paths). A return-path has a token,
// so that a bounce finds its message and a forged bounce is detected. Layout: the recipient (24
// bytes, recipient-ref.ts) | HMAC-SHA-256 truncated to 14 bytes. In base32 these are 61 characters.
// A local part has space for these and `b+` (RFC 5321 §4.5.3.1.1).
import { decodeBase32, encodeBase32 } from "../lib/crypto/base32.ts";
import { equalInConstantTime, sign } from "../lib/crypto/crypto.ts";
import { bytesOfRecipient, readRecipientRef, type RecipientRef } from "./recipient-ref.ts";

const MAC_BYTES = 14;

/**
 * Makes a token for one purpose, for example "return-path". The token is not valid for another
 * purpose.
 */
export async function mintToken(
  signingKey: string,
  purpose: string,
  ref: RecipientRef,
): Promise<string> {
  const body = Uint8Array.from(bytesOfRecipient(ref));
  return encodeBase32(Uint8Array.from([...body, ...(await macOf(signingKey, purpose, body))]));
}

/**
 * Reads a token in upper or lower case. Undefined means that the text is not a genuine token of
 * this purpose.
 */
export async function readToken(
  signingKey: string,
  purpose: string,
  text: string,
): Promise<RecipientRef | undefined> {
  const token = decodeBase32(text);
  const read = token && readRecipientRef(token);
  if (!token || read?.rest.length !== MAC_BYTES) return undefined;
  const body = token.subarray(0, -MAC_BYTES);
  return equalInConstantTime(await macOf(signingKey, purpose, body), read.rest)
    ? read.ref
    : undefined;
}

async function macOf(
  signingKey: string,
  purpose: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  return (await sign(signingKey, purpose, body)).subarray(0, MAC_BYTES);
}
