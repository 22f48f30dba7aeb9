// Makes and reads a recipient's unsubscribe link. The link never expires, but the message's row is
// deleted after some time. So the token itself has the recipient, topic and sender (contract.md
// §Unsubscribe pages). The token signs the message (23 bytes, recipient-ref.ts) | recipient, topic,
// sender, each after its length (1 byte).
import { openToken, sealToken } from "../lib/crypto/signed-token.ts";
import { bytesOfMessage, type MessageRef, readMessageRef } from "./recipient-ref.ts";

export interface UnsubscribeRef extends MessageRef {
  /** The address to which the message was sent. */
  readonly recipient: string;
  readonly topic: string;
  /**
   * The sender's name on the unsubscribe page. It is only displayed, and is cut if it is too long.
   */
  readonly sender: string;
}

const PURPOSE = "unsubscribe";
const PATH = "/u/";
const SENDER_BYTES = 80;
const TEXT_BYTES = 255;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes a link. `publicUrl` is the setting PUBLIC_URL. */
export async function unsubscribeUrl(
  publicUrl: string,
  signingKey: string,
  ref: UnsubscribeRef,
): Promise<string> {
  return `${publicUrl}${PATH}${await sealToken(signingKey, PURPOSE, bodyOf(ref))}`;
}

/** Returns whether a link's target is an unsubscribe link of this service, for any recipient. */
export function isUnsubscribeUrl(publicUrl: string, url: string): boolean {
  return url.startsWith(publicUrl + PATH);
}

/** Reads a token. Undefined means that the text is not a genuine token. */
export async function readUnsubscribeToken(
  signingKey: string,
  text: string,
): Promise<UnsubscribeRef | undefined> {
  const body = await openToken(signingKey, PURPOSE, text);
  const read = body && readMessageRef(body);
  if (!read) return undefined;
  const [recipient = "", topic = "", sender = ""] = readTexts(read.rest);
  return { ...read.ref, recipient, topic, sender };
}

function bodyOf(ref: UnsubscribeRef): Uint8Array {
  const texts = [
    encoder.encode(ref.recipient),
    encoder.encode(ref.topic),
    encodeStart(ref.sender, SENDER_BYTES),
  ].flatMap((text) => {
    if (text.length > TEXT_BYTES)
      throw new Error(
        `a recipient or topic of ${ref.emailId} exceeds an unsubscribe link's ${TEXT_BYTES} bytes`,
      );
    return [text.length, ...text];
  });
  return Uint8Array.from([...bytesOfMessage(ref), ...texts]);
}

/** Encodes as many whole characters of a text as fit in `limit` bytes. */
function encodeStart(text: string, limit: number): Uint8Array {
  const bytes = new Uint8Array(limit);
  return bytes.subarray(0, encoder.encodeInto(text, bytes).written);
}

function readTexts(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + (bytes[at] ?? 0);
    texts.push(decoder.decode(bytes.subarray(at + 1, end)));
    at = end;
  }
  return texts;
}
