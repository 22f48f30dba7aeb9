// Makes and reads the links in a copy that report opens and clicks (docs/tracking.md): `/o/<token>`
// and `/c/<token>` on the sender's tracking host. A token is valid only on the host for which it
// was made. So an attacker cannot make a host redirect to a target that the host's owner never
// mailed (decision 0007). The token signs the recipient (24 bytes, recipient-ref.ts) | the link's
// target in UTF-8.
import { openToken, sealToken } from "../lib/crypto/signed-token.ts";
import { bytesOfRecipient, readRecipientRef, type RecipientRef } from "./recipient-ref.ts";

/** The content of a tracked link's token. */
export interface TrackedRef extends RecipientRef {
  /** The link's target. "" for the pixel. */
  readonly url: string;
}

/** `c` is a click, and `o` is an open. The letter is also the first segment of the link's path. */
export type TrackedKind = "c" | "o";

const PURPOSES: Readonly<Record<TrackedKind, string>> = { c: "click", o: "open" };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Makes a tracked link. `host` is in lower case. The caller must check that `ref.url` is a web URL.
 */
export async function trackingUrl(
  signingKey: string,
  host: string,
  kind: TrackedKind,
  ref: TrackedRef,
): Promise<string> {
  const token = await sealToken(signingKey, PURPOSES[kind], bodyOf(ref), host);
  return `https://${host}/${kind}/${token}`;
}

/**
 * Reads a token. Undefined means that the text is not a genuine token of this kind on this host.
 */
export async function readTrackingToken(
  signingKey: string,
  host: string,
  kind: TrackedKind,
  text: string,
): Promise<TrackedRef | undefined> {
  const body = await openToken(signingKey, PURPOSES[kind], text, host);
  const read = body && readRecipientRef(body);
  return read && { ...read.ref, url: decoder.decode(read.rest) };
}

function bodyOf(ref: TrackedRef): Uint8Array {
  const recipient = bytesOfRecipient(ref);
  const target = encoder.encode(ref.url);
  const body = new Uint8Array(recipient.length + target.length);
  body.set(recipient);
  body.set(target, recipient.length);
  return body;
}
