// A recipient's unsubscribe link names by itself the recipient, the topic and the sender
// (contract.md §Unsubscribe pages), since it never expires and outlives the message's row. The
// message (23 bytes, recipient-ref.ts) | recipient, topic, sender, each after its length (1), as a
// signed token.
import { openToken, sealToken } from "../lib/crypto/signed-token.ts";
import { bytesOfMessage, type MessageRef, readMessageRef } from "./recipient-ref.ts";

export interface UnsubscribeRef extends MessageRef {
  /** The address as it was mailed. */
  readonly recipient: string;
  readonly topic: string;
  /** What the page calls the sender: shown, nothing else. Cut to what fits. */
  readonly sender: string;
}

const PURPOSE = "unsubscribe";
const PATH = "/u/";
const SENDER_BYTES = 80;
const TEXT_BYTES = 255;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `publicUrl`: the setting of that name. */
export async function unsubscribeUrl(
  publicUrl: string,
  signingKey: string,
  ref: UnsubscribeRef,
): Promise<string> {
  return `${publicUrl}${PATH}${await sealToken(signingKey, PURPOSE, bodyOf(ref))}`;
}

/** Whether a link's target is an unsubscribe link of the service's own, whoever's. */
export function isUnsubscribeUrl(publicUrl: string, url: string): boolean {
  return url.startsWith(publicUrl + PATH);
}

/** What a genuine token stands for; undefined for any other text. */
export async function readUnsubscribeToken(
  signingKey: string,
  text: string,
): Promise<UnsubscribeRef | undefined> {
  const body = await openToken(signingKey, PURPOSE, text);
  const named = body && readMessageRef(body);
  if (!named) return undefined;
  const [recipient = "", topic = "", sender = ""] = textsIn(named.rest);
  return { ...named.ref, recipient, topic, sender };
}

function bodyOf(ref: UnsubscribeRef): Uint8Array {
  const texts = [
    encoder.encode(ref.recipient),
    encoder.encode(ref.topic),
    cut(ref.sender, SENDER_BYTES),
  ].flatMap((text) => {
    if (text.length > TEXT_BYTES)
      throw new Error(`too long for an unsubscribe link of ${ref.emailId}`);
    return [text.length, ...text];
  });
  return Uint8Array.from([...bytesOfMessage(ref), ...texts]);
}

/** At most that many bytes, of whole characters. */
function cut(text: string, limit: number): Uint8Array {
  const bytes = new Uint8Array(limit);
  return bytes.subarray(0, encoder.encodeInto(text, bytes).written);
}

function textsIn(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + (bytes[at] ?? 0);
    texts.push(decoder.decode(bytes.subarray(at + 1, end)));
    at = end;
  }
  return texts;
}
