// Verifies the signature of a webhook delivery with WebCrypto (docs/contract.md §Signatures), and
// returns the typed delivery.
import type {
  ResendWebhookDelivery,
  WebhookDelivery,
  WebhookTestDelivery,
} from "../generated/types.ts";
import { PosternError } from "./client-errors.ts";

const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** A delivery of events, or a test delivery from `POST /v1/webhooks/{id}/test`. */
export type AnyWebhookDelivery = WebhookDelivery | WebhookTestDelivery;

/** The type of a delivery for each webhook format (docs/contract.md §Formats). */
export interface DeliveryOfFormat {
  readonly batch: AnyWebhookDelivery;
  readonly resend: ResendWebhookDelivery;
}

/** The headers of a request, in the forms of `fetch`, Node's `http` and frameworks. */
export type HeaderBag =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions<Format extends keyof DeliveryOfFormat = "batch"> {
  /** The webhook's `format`. Default: `batch`. */
  readonly format?: Format;
  /** The accepted difference between the delivery's time and now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The operator's `HEADER_PREFIX`. Default: `Service`. */
  readonly headerPrefix?: string;
  /** The current time in Unix milliseconds. Default: the clock's time. */
  readonly now?: number;
}

/** The delivery is not signed with any of the secrets, or its time is too far from now. */
export class WebhookSignatureError extends PosternError {
  override readonly name = "WebhookSignatureError";
}

/**
 * Returns the delivery if one of the secrets signed it. `body` must be the bytes or the text as
 * received, because parsing and serializing would change the bytes. The delivery's headers decide
 * the scheme: Standard Webhooks, or else `Service-Signature`. Throws a WebhookSignatureError for a
 * wrong signature or time, a TypeError for a secret that is not `whsec_…`, and a PosternError for a
 * signed delivery in another format.
 */
export async function verifyWebhook<Format extends keyof DeliveryOfFormat = "batch">(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderBag,
  secret: string | readonly string[],
  options: VerifyOptions<Format> = {},
): Promise<DeliveryOfFormat[Format]> {
  const secrets = [secret].flat();
  for (const one of secrets)
    if (!SECRET.test(one))
      throw new TypeError("a webhook's secret must be whsec_ followed by base64");
  const scheme = schemeOf(headers, options.headerPrefix ?? "Service");
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS;
  const age = Math.abs((options.now ?? Date.now()) / 1_000 - Number(scheme.timestamp));
  if (!(age <= tolerance))
    throw new WebhookSignatureError(`the delivery was not signed within ${tolerance} s of now`);
  const bytes = bytesOf(body);
  if (!(await isSigned(scheme, bytes, secrets)))
    throw new WebhookSignatureError("none of the secrets signed this delivery");
  const delivery = JSON.parse(new TextDecoder().decode(bytes)) as object;
  const format = "events" in delivery ? "batch" : "resend";
  if (format !== (options.format ?? "batch"))
    throw new PosternError(`the delivery has the format ${format}: set "format" in the options`);
  return delivery as DeliveryOfFormat[Format];
}

/** Returns the signed text of one scheme, and the delivery's signatures for that scheme. */
function schemeOf(headers: HeaderBag, prefix: string) {
  const [id, time, standard] = ["id", "timestamp", "signature"].map(
    (name) => headerOf(headers, `webhook-${name}`) ?? headerOf(headers, `svix-${name}`),
  );
  if (id !== undefined && time !== undefined && standard !== undefined)
    return {
      timestamp: time,
      signed: `${id}.${time}.`,
      signatures: [...standard.matchAll(/(?:^| )v1,([A-Za-z0-9+/]+=*)(?= |$)/g)].map(
        ([, text = ""]) => fromBase64(text),
      ),
      keyOf: (secret: string) => fromBase64(SECRET.exec(secret)?.[1] ?? ""),
    };
  const own = headerOf(headers, `${prefix}-Signature`);
  if (own === undefined) throw new WebhookSignatureError("the delivery has no signature");
  const timestamp = /(?:^|,)t=(\d+)(?=,|$)/.exec(own)?.[1] ?? "";
  return {
    timestamp,
    signed: `${timestamp}.`,
    signatures: [...own.matchAll(/(?:^|,)v1=((?:[0-9a-f]{2})+)(?=,|$)/g)].map(([, text = ""]) =>
      fromHex(text),
    ),
    keyOf: (secret: string) => new Uint8Array(new TextEncoder().encode(secret)),
  };
}

/** WebCrypto's `verify` compares in constant time. */
async function isSigned(
  { signed, signatures, keyOf }: ReturnType<typeof schemeOf>,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const start = new TextEncoder().encode(signed);
  const data = new Uint8Array(start.length + body.length);
  data.set(start);
  data.set(body, start.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", keyOf(secret), algorithm, false, ["verify"]);
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, data)) return true;
  }
  return false;
}

function headerOf(headers: HeaderBag, name: string): string | undefined {
  // Some frameworks have a `Headers` class other than the platform's.
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const [, value] = Object.entries(headers).find(([one]) => one.toLowerCase() === wanted) ?? [];
  return typeof value === "string" ? value : value?.[0];
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
