// Makes one attempt at a webhook delivery (contract.md §Deliveries and retries). Checks the URL's
// target again, adds the timestamp and the signature, and returns one of three outcomes, in limited
// time and memory. All failures before a response have the same outcome. Otherwise a team could
// choose URLs to use the service as a port scanner.
import type { Settings } from "../../settings.ts";
import type { BoundedCache } from "../../lib/bounded-cache.ts";
import { Deadlines } from "../../lib/shared-timer.ts";
import {
  SECOND_MS,
  WEBHOOK_PREVIEW_BYTES,
  WEBHOOK_RESPONSE_BYTES,
  WEBHOOK_TIMEOUT_MS,
} from "../../limits.ts";
import { mayBeCalled } from "../call-targets/may-be-called.ts";
import { signedHeaders } from "./signature.ts";

/** The chunk size for reading the part of a response after the preview. */
const REST_BYTES = 16 * 1_024;
const encoder = new TextEncoder();

export interface SignedPost {
  readonly url: string;
  readonly batchId: string;
  /** The id of the only event in the body. Undefined: the body is a batch of events. */
  readonly eventId?: string | undefined;
  /** Complete secrets (`whsec_…`), the current secret first. */
  readonly secrets: readonly string[];
  /** Renders the body for a time in Unix seconds, because it contains the signed timestamp. */
  readonly bodyAt: (timestamp: number) => string;
}

/**
 * The outcome of an attempt. `latencyMs` is wall-clock time and includes the DNS look-up. If the
 * endpoint is unreachable, `latencyMs` is rounded up to whole seconds.
 */
export type PostAttempt =
  /**
   * A complete response arrived. `isSuccess`: its status is 2xx. `preview`: the first
   * WEBHOOK_PREVIEW_BYTES of its body as text. `preview` null: the body is empty.
   */
  | {
      readonly kind: "answered";
      readonly isSuccess: boolean;
      readonly status: number;
      readonly preview: string | null;
      readonly latencyMs: number;
    }
  | { readonly kind: "unreachable" | "timed_out"; readonly latencyMs: number };

/** Objects that a caller shares among many deliveries. */
interface PostCaches {
  /** URLs that passed the check, so that they are not checked again. */
  readonly callable?: BoundedCache<true>;
  /** The deadlines of all deliveries, each WEBHOOK_TIMEOUT_MS after the start of its request. */
  readonly deadlines?: Deadlines;
}

type Answer =
  | Pick<Extract<PostAttempt, { kind: "answered" }>, "kind" | "status" | "preview">
  | { readonly kind: "unreachable" | "timed_out" };

/**
 * Posts a delivery once. Throws only for an invalid secret, and never because the endpoint fails.
 * Without `callable`, checks the URL and looks up its host for every delivery.
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
 * Rounds a time up to seconds. An exact time would reveal the reason of the failure, which the
 * outcome hides: a private address, a closed port or a failed handshake.
 */
function roundUpToSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND_MS)) * SECOND_MS;
}

async function post(
  { headerPrefix: prefix }: Settings,
  { url, batchId, eventId, secrets, bodyAt }: SignedPost,
  deadlines: Deadlines,
): Promise<Answer> {
  const timestamp = Math.floor(Date.now() / SECOND_MS);
  const body = encoder.encode(bodyAt(timestamp));
  const headers = await signedHeaders({ prefix, batchId, eventId, timestamp, body, secrets });
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
    // If the response was not read to its end, the abort closes the connection. Otherwise the
    // connection stays open for the next delivery.
    if (!isRead) stopped.abort();
  }
}

/** Sends the request. Calls `read` when the response was read to its end. */
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
 * Returns whether Content-Length shows a short body. Such a body is not read as a stream, which
 * would cost as much as the rest of a delivery. HTTP enforces Content-Length if the response is not
 * encoded.
 */
function isShort({ headers }: Response): boolean {
  const length = headers.get("Content-Length") ?? "";
  const isPlain = !headers.has("Content-Encoding") && !headers.has("Transfer-Encoding");
  return /^\d{1,4}$/.test(length) && Number(length) <= WEBHOOK_PREVIEW_BYTES && isPlain;
}

/**
 * Reads the preview into a buffer, then the rest of the response. Only a complete response counts,
 * so an endless response counts as a failure. The request asks for an uncompressed response. If the
 * response is compressed, only the preview is decompressed. Throws if the response is too long.
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
  // If the end of the buffer cuts a character, the preview omits the character. If the body itself
  // ends inside a character, the preview has a replacement character.
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
