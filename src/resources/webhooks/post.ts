// Makes one attempt at a delivery (contract.md §Deliveries and retries): the URL's target is judged
// again, the request is stamped and signed afresh, and whatever the receiver does ends as one of
// three outcomes, in bounded time and memory. A receiver's owner is a stranger who chose the URL,
// so failures on the way to an answer are not told apart: that would make a port scanner of it.
import type { Settings } from "../../env.ts";
import type { BoundedCache } from "../../lib/bounded-cache.ts";
import { Deadlines } from "../../lib/deadlines.ts";
import {
  WEBHOOK_LOOKUP_TIMEOUT_MS,
  WEBHOOK_PREVIEW_BYTES,
  WEBHOOK_RESPONSE_BYTES,
  WEBHOOK_TIMEOUT_MS,
} from "../../limits.ts";
import { dnsResolver } from "../domains/resolver.ts";
import { signedHeaders } from "./signature.ts";
import { mayBeAddress, nameToLookUp, targetOptions, targetProblem } from "./webhook-target.ts";

/** How much of what is not shown is read at once. */
const REST_BYTES = 16 * 1_024;
const SECOND_MS = 1_000;
const encoder = new TextEncoder();

export interface SignedPost {
  readonly url: string;
  readonly batchId: string;
  /** Each a whole `whsec_…`, the one in force first. */
  readonly secrets: readonly string[];
  /**
   * The body when it is sent at that time, in Unix seconds: the timestamp in it is the one that is
   * signed.
   */
  readonly bodyAt: (timestamp: number) => string;
}

/**
 * `latencyMs` is wall clock, the look-up of the name included; of an unreachable receiver in whole
 * seconds, rounded up.
 */
export type PostAttempt =
  /**
   * A response was completed. `isSuccess`: a 2xx. `preview`: the first WEBHOOK_PREVIEW_BYTES of its
   * body as text, null when there is none.
   */
  | {
      readonly kind: "answered";
      readonly isSuccess: boolean;
      readonly status: number;
      readonly preview: string | null;
      readonly latencyMs: number;
    }
  | { readonly kind: "unreachable" | "timed_out"; readonly latencyMs: number };

/** What whoever makes many deliveries keeps from one to the next. */
interface PostCaches {
  /** Remembers URLs that were found to be callable. */
  readonly callable?: BoundedCache<true>;
  /** Of WEBHOOK_TIMEOUT_MS. */
  readonly deadlines?: Deadlines;
}

type Answer =
  | Pick<Extract<PostAttempt, { kind: "answered" }>, "kind" | "status" | "preview">
  | { readonly kind: "unreachable" | "timed_out" };

/**
 * Posts the delivery once. Throws only for a secret that can't be one; nothing that a receiver
 * does. Without a memory of URLs every delivery is judged, and its host's name looked up.
 */
export async function postSigned(
  settings: Settings,
  delivery: SignedPost,
  { callable, deadlines = new Deadlines(WEBHOOK_TIMEOUT_MS) }: PostCaches = {},
): Promise<PostAttempt> {
  const begun = Date.now();
  const isKnown = callable?.get(delivery.url, begun) === true;
  const mayBe = isKnown || (await mayBeCalled(settings, new URL(delivery.url)));
  if (mayBe && !isKnown) callable?.set(delivery.url, true, begun);
  const answer = mayBe
    ? await post(settings, delivery, deadlines)
    : ({ kind: "unreachable" } as const);
  const latencyMs = Math.max(0, Date.now() - begun);
  return answer.kind === "answered"
    ? { ...answer, isSuccess: answer.status >= 200 && answer.status < 300, latencyMs }
    : {
        ...answer,
        latencyMs: answer.kind === "unreachable" ? roundUpToSeconds(latencyMs) : latencyMs,
      };
}

/**
 * A finer figure would tell apart what the outcome does not: an address that is not public, a
 * closed port, a failed handshake.
 */
function roundUpToSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND_MS)) * SECOND_MS;
}

/** A name's addresses are public, all of them: the connection is free to take any. */
async function mayBeCalled(settings: Settings, url: URL): Promise<boolean> {
  const options = targetOptions(settings);
  if (targetProblem(url, options) !== undefined) return false;
  const name = nameToLookUp(url);
  if (name === undefined) return true;
  const resolver = dnsResolver(
    settings.dnsResolverUrl,
    WEBHOOK_LOOKUP_TIMEOUT_MS,
    WEBHOOK_LOOKUP_TIMEOUT_MS,
  );
  const found = await resolver.everyAddress(name);
  return found.kind === "answer" && found.values.every((address) => mayBeAddress(address, options));
}

async function post(
  { headerPrefix: prefix }: Settings,
  { url, batchId, secrets, bodyAt }: SignedPost,
  deadlines: Deadlines,
): Promise<Answer> {
  const timestamp = Math.floor(Date.now() / SECOND_MS);
  const body = encoder.encode(bodyAt(timestamp));
  const headers = await signedHeaders({ prefix, batchId, timestamp, body, secrets });
  const stopped = new AbortController();
  let isRead = false;
  const late = Promise.withResolvers<Answer>();
  const inTime = deadlines.begin(() => late.resolve({ kind: "timed_out" }));
  const request = {
    method: "POST",
    headers,
    body,
    redirect: "manual",
    signal: stopped.signal,
  } as const;
  const answered = fetchAnswer(url, request, () => {
    isRead = true;
  });
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    inTime();
    // Closes the connection, whatever of the response is still to come. One that was read to its
    // end serves the next delivery.
    if (!isRead) stopped.abort();
  }
}

/** `read` is called when the response was read to its end. */
async function fetchAnswer(url: string, request: RequestInit, read: () => void): Promise<Answer> {
  try {
    const response = await fetch(url, request);
    return { kind: "answered", status: response.status, preview: await previewOf(response, read) };
  } catch {
    return { kind: "unreachable" };
  }
}

async function previewOf(response: Response, read: () => void): Promise<string | null> {
  if (!isShort(response)) return response.body && readFirstBytes(response, response.body, read);
  const text = await response.text();
  read();
  return text || null;
}

/**
 * By its own word, which the protocol holds it to unless it names an encoding as well. Most are
 * short, and reading a stream costs as much as all the rest of a delivery.
 */
function isShort({ headers }: Response): boolean {
  const length = headers.get("Content-Length") ?? "";
  const isPlain = !headers.has("Content-Encoding") && !headers.has("Transfer-Encoding");
  return /^\d{1,4}$/.test(length) && Number(length) <= WEBHOOK_PREVIEW_BYTES && isPlain;
}

/**
 * Reads into a buffer of the size that is shown, and the rest over it: a response counts when it
 * was completed, and one that goes on and on never is. What is compressed, though nobody asked for
 * that, is inflated no further than it is shown. Throws for a response that is too long.
 */
async function readFirstBytes(
  response: Response,
  body: ReadableStream,
  read: () => void,
): Promise<string | null> {
  const limit = response.headers.has("Content-Encoding")
    ? WEBHOOK_PREVIEW_BYTES
    : WEBHOOK_RESPONSE_BYTES;
  const reader = body.getReader({ mode: "byob" });
  let buffer = new Uint8Array(WEBHOOK_PREVIEW_BYTES);
  let length = 0;
  let isWhole = false;
  while (!isWhole && length < WEBHOOK_PREVIEW_BYTES) {
    const { value, done } = await reader.read(buffer.subarray(length));
    isWhole = done;
    if (!value) break;
    buffer = new Uint8Array(value.buffer);
    length += value.length;
  }
  // A character that the end of the buffer cuts in two is left out; one that the body itself breaks
  // off is shown as broken.
  const preview =
    new TextDecoder().decode(buffer.subarray(0, length), { stream: !isWhole }) || null;
  let rest = new Uint8Array(REST_BYTES);
  while (!isWhole) {
    const { value, done } = await reader.read(rest);
    isWhole = done;
    if (!value) break;
    rest = new Uint8Array(value.buffer);
    length += value.length;
    if (length > limit) throw new Error("the response is too long");
  }
  read();
  return preview;
}
