// Signs bytes that are sent in a URL and come back: body | HMAC-SHA-256 truncated to 16 bytes, in
// URL-safe base64. Anyone can read such a token, but only the service can make one, and each token
// has exactly one valid spelling.
import { decodeBase64, encodeBase64Url } from "./base64.ts";
import { equalInConstantTime, sign } from "./crypto.ts";

const MAC_BYTES = 16;

const encoder = new TextEncoder();

/**
 * Makes a token for one use (`purpose`) and one `context`. The context is not part of the token and
 * contains no NUL. A token is not genuine for any other use or context.
 */
export async function sealToken(
  signingKey: string,
  purpose: string,
  body: Uint8Array,
  context = "",
): Promise<string> {
  const token = new Uint8Array(body.length + MAC_BYTES);
  token.set(body);
  token.set(await macOf(signingKey, purpose, body, context), body.length);
  return encodeBase64Url(token);
}

/** Returns the body of a genuine token, or undefined for any other text. */
export async function openToken(
  signingKey: string,
  purpose: string,
  text: string,
  context = "",
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const token = decodeBase64(text);
  if (!token || token.length < MAC_BYTES || encodeBase64Url(token) !== text) return undefined;
  const body = token.subarray(0, -MAC_BYTES);
  return equalInConstantTime(
    await macOf(signingKey, purpose, body, context),
    token.subarray(-MAC_BYTES),
  )
    ? body
    : undefined;
}

async function macOf(
  signingKey: string,
  purpose: string,
  body: Uint8Array,
  context: string,
): Promise<Uint8Array> {
  const place = encoder.encode(`${context}\0`);
  const data = new Uint8Array(place.length + body.length);
  data.set(place);
  data.set(body, place.length);
  return (await sign(signingKey, purpose, data)).subarray(0, MAC_BYTES);
}
