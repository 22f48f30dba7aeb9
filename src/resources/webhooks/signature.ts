// How a delivery proves whose it is (spec.md "Request headers on a delivery", "Signature verification"; wire.md "Webhook deliveries"): two schemes side by
// side, each with one signature for every active secret, so that a receiver verifies by either and through a rotation. Pure.
import { decodeBase64, encodeBase64 } from "../../lib/base64.ts";
import { hex, hmacSha256 } from "../../lib/crypto.ts";

const USER_AGENT_VERSION = "1.0";
const SECRET_PREFIX = "whsec_";

export interface Signed {
  /** How header names begin, `Service` by default. */
  readonly prefix: string;
  readonly batchId: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Exactly what is sent. */
  readonly body: string;
  /** Each a whole `whsec_…`, the one in force first. */
  readonly secrets: readonly string[];
}

/** Every header of the request. Throws for a secret that is not `whsec_` and base64. */
export async function signedHeaders(signed: Signed): Promise<Record<string, string>> {
  const { prefix, batchId, timestamp } = signed;
  const [own, standard] = await Promise.all([ownSignatures(signed), standardSignatures(signed)]);
  return {
    "Content-Type": "application/json",
    // A preview is made of the first bytes; they are of no use compressed.
    "Accept-Encoding": "identity",
    "User-Agent": `${prefix}-Webhooks/${USER_AGENT_VERSION}`,
    [`${prefix}-Signature`]: [`t=${timestamp}`, ...own.map((signature) => `v1=${signature}`)].join(","),
    [`${prefix}-Timestamp`]: String(timestamp),
    [`${prefix}-Batch-Id`]: batchId,
    "webhook-id": batchId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standard.map((signature) => `v1,${signature}`).join(" "),
  };
}

/** Lowercase hex, keyed with the secret's text. */
function ownSignatures({ timestamp, body, secrets }: Signed): Promise<string[]> {
  const encoder = new TextEncoder();
  return Promise.all(secrets.map(async (secret) => hex(await hmacSha256(encoder.encode(secret), `${timestamp}.${body}`))));
}

/** Base64, keyed with the bytes that the secret spells. */
function standardSignatures({ batchId, timestamp, body, secrets }: Signed): Promise<string[]> {
  return Promise.all(secrets.map(async (secret) => encodeBase64(await hmacSha256(bytesOf(secret), `${batchId}.${timestamp}.${body}`))));
}

function bytesOf(secret: string): Uint8Array {
  const bytes = secret.startsWith(SECRET_PREFIX) ? decodeBase64(secret.slice(SECRET_PREFIX.length)) : undefined;
  if (!bytes?.length) throw new Error("a webhook's secret is not `whsec_` and base64");
  return bytes;
}
