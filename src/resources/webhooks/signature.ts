// Signs a webhook delivery by two schemes (contract.md §Signatures), so that the webhook's endpoint
// can use either scheme. Each scheme has one signature per active secret, so that the endpoint can
// verify during a rotation. A request with a single event repeats the second scheme's headers under
// Svix's names. Pure.
import { decodeBase64, encodeBase64 } from "../../lib/crypto/base64.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { toHex, importHmacKey, signWith } from "../../lib/crypto/crypto.ts";

const USER_AGENT_VERSION = "1.0";
const SECRET_PREFIX = "whsec_";
const SECRETS_CACHED = 1_000;
const KEYS_CACHED_MS = 60_000;
const encoder = new TextEncoder();

/** The keys of both schemes, derived from one secret. */
interface Keys {
  readonly own: Awaited<ReturnType<typeof importHmacKey>>;
  readonly standard: Awaited<ReturnType<typeof importHmacKey>>;
}

/** Imported keys. They are cached, because the import of a key costs as much as a signature. */
const imported = new BoundedCache<Keys>(SECRETS_CACHED, KEYS_CACHED_MS);

interface Signed {
  /** The first part of header names. The default is `Service`. */
  readonly prefix: string;
  readonly batchId: string;
  /**
   * The id of the only event in the request, which the second scheme signs. Undefined: the request
   * is a batch of events.
   */
  readonly eventId?: string | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
  /** Complete secrets (`whsec_…`), the current secret first. */
  readonly secrets: readonly string[];
}

/** Makes all headers of the request. Throws if a secret is not `whsec_` and base64. */
export async function signedHeaders(signed: Signed): Promise<Record<string, string>> {
  const { prefix, batchId, eventId, timestamp, body, secrets } = signed;
  const id = eventId ?? batchId;
  const keys = await Promise.all(secrets.map((secret) => keysOf(secret, timestamp * 1_000)));
  const [name, time] = [encoder.encode(`${id}.`), encoder.encode(`${timestamp}.`)];
  const standardText = concat(name, time, body);
  const ownText = standardText.subarray(name.length);
  const signatures = await Promise.all(
    keys.flatMap((key) => [signWith(key.own, ownText), signWith(key.standard, standardText)]),
  );
  const own = signatures
    .filter((_, index) => index % 2 === 0)
    .map((signature) => `v1=${toHex(signature)}`);
  const standard = signatures
    .filter((_, index) => index % 2 === 1)
    .map((signature) => `v1,${encodeBase64(signature)}`);
  const standardHeaders = { id, timestamp: String(timestamp), signature: standard.join(" ") };
  return {
    "Content-Type": "application/json",
    // The preview shows the first bytes of the response, which must be uncompressed.
    "Accept-Encoding": "identity",
    "User-Agent": `${prefix}-Webhooks/${USER_AGENT_VERSION}`,
    [`${prefix}-Signature`]: [`t=${timestamp}`, ...own].join(","),
    [`${prefix}-Timestamp`]: String(timestamp),
    [`${prefix}-Batch-Id`]: batchId,
    ...withPrefix("webhook", standardHeaders),
    ...(eventId !== undefined && withPrefix("svix", standardHeaders)),
  };
}

function withPrefix(
  prefix: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`${prefix}-${name}`, value]),
  );
}

/**
 * Returns the keys of a secret. Service-Signature uses the secret's text as the key. Standard
 * Webhooks uses the bytes that the text encodes.
 */
async function keysOf(secret: string, now: number): Promise<Keys> {
  const known = imported.get(secret, now);
  if (known) return known;
  const bytes = bytesOf(secret);
  const [own, standard] = await Promise.all([
    importHmacKey(encoder.encode(secret)),
    importHmacKey(bytes),
  ]);
  const keys = { own, standard };
  imported.set(secret, keys, now);
  return keys;
}

function bytesOf(secret: string): Uint8Array {
  const bytes = secret.startsWith(SECRET_PREFIX)
    ? decodeBase64(secret.slice(SECRET_PREFIX.length))
    : undefined;
  if (!bytes?.length) throw new Error("a webhook's secret is not `whsec_` and base64");
  return bytes;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
