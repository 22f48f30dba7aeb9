// Makes and reads the tokens of reply addresses (contract.md §Replies). Such a token itself names
// the message and the recipient, so a reply finds its message even when no data of the message is
// stored any more. The token also has a tag of the recipient's address. The tag shows without
// stored data whether the author of a reply is the recipient. Layout: the recipient (24 bytes,
// recipient-ref.ts) | tag (3) | HMAC-SHA-256 truncated to 11 bytes. In base32 these are 61
// characters. A local part has space for these and `r+` (RFC 5321 §4.5.3.1.1).
import { decodeBase32, encodeBase32 } from "../lib/crypto/base32.ts";
import { equalInConstantTime, sign } from "../lib/crypto/crypto.ts";
import { bytesOfRecipient, readRecipientRef, type RecipientRef } from "./recipient-ref.ts";

const TAG_BYTES = 3;
const REPLY_MAC_BYTES = 11;
const PURPOSE = "reply";
const TAG_PURPOSE = "reply-recipient";

/** A genuine token. */
export interface ReplyToken {
  readonly ref: RecipientRef;
  /** The recipient's tag, for isTagOf(). */
  readonly tag: Uint8Array;
}

/** Makes a token. `recipient` is the address of the copy's recipient. */
export async function mintReplyToken(
  signingKey: string,
  ref: RecipientRef,
  recipient: string,
): Promise<string> {
  const tag = await tagOf(signingKey, ref, recipient);
  const body = Uint8Array.from([...bytesOfRecipient(ref), ...tag]);
  return encodeBase32(Uint8Array.from([...body, ...(await macOf(signingKey, body))]));
}

/** Reads a token in upper or lower case. Undefined means that the text is not a genuine token. */
export async function readReplyToken(
  signingKey: string,
  text: string,
): Promise<ReplyToken | undefined> {
  const token = decodeBase32(text);
  const read = token && readRecipientRef(token);
  if (!token || read?.rest.length !== TAG_BYTES + REPLY_MAC_BYTES) return undefined;
  const mac = await macOf(signingKey, token.subarray(0, -REPLY_MAC_BYTES));
  return equalInConstantTime(mac, token.subarray(-REPLY_MAC_BYTES))
    ? { ref: read.ref, tag: read.rest.subarray(0, TAG_BYTES) }
    : undefined;
}

/** Returns whether the token was made for the recipient with this address. */
export async function isTagOf(
  signingKey: string,
  { ref, tag }: ReplyToken,
  address: string,
): Promise<boolean> {
  return equalInConstantTime(await tagOf(signingKey, ref, address), tag);
}

async function tagOf(signingKey: string, ref: RecipientRef, address: string): Promise<Uint8Array> {
  const text = new TextEncoder().encode(`${ref.emailId} ${address.toLowerCase()}`);
  return (await sign(signingKey, TAG_PURPOSE, text)).subarray(0, TAG_BYTES);
}

async function macOf(signingKey: string, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return (await sign(signingKey, PURPOSE, body)).subarray(0, REPLY_MAC_BYTES);
}
