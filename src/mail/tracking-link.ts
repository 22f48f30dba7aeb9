// Makes the links by which a copy reports opens and clicks (docs/tracking.md): `/o/<token>` and
// `/c/<token>` on the sender's tracking host. A token is good on the host it was made for and
// nowhere else, so that no host can be made to redirect to what its owner never mailed (decision
// 0007). The recipient (24 bytes, recipient-ref.ts) | the link's target in UTF-8, as a signed
// token.
import { openToken, sealToken } from "../lib/crypto/signed-token.ts";
import { bytesOfRecipient, readRecipientRef, type RecipientRef } from "./recipient-ref.ts";

/** What a tracked link stands for. */
export interface TrackedRef extends RecipientRef {
  /** Where the link leads; "" for the pixel. */
  readonly url: string;
}

/** Also the token's purpose, and its path. */
export type TrackedKind = "c" | "o";

const PURPOSES: Readonly<Record<TrackedKind, string>> = { c: "click", o: "open" };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * `host`: the tracking host, lower case. The caller answers for where `ref.url` leads: it is not
 * looked at here.
 */
export async function trackingUrl(
  signingKey: string,
  host: string,
  kind: TrackedKind,
  ref: TrackedRef,
): Promise<string> {
  return `https://${host}/${kind}/${await sealToken(signingKey, PURPOSES[kind], bodyOf(ref), host)}`;
}

/** What a genuine token stands for on this host; undefined for any other text. */
export async function readTrackingToken(
  signingKey: string,
  host: string,
  kind: TrackedKind,
  text: string,
): Promise<TrackedRef | undefined> {
  const body = await openToken(signingKey, PURPOSES[kind], text, host);
  const named = body && readRecipientRef(body);
  return named && { ...named.ref, url: decoder.decode(named.rest) };
}

function bodyOf(ref: TrackedRef): Uint8Array {
  const recipient = bytesOfRecipient(ref);
  const target = encoder.encode(ref.url);
  const body = new Uint8Array(recipient.length + target.length);
  body.set(recipient);
  body.set(target, recipient.length);
  return body;
}
