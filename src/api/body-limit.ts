// Refuses a body that is too large for its route, before any other check (contract.md §Request
// bodies). Content-Length decides for a body that has this header. Other bodies are counted after
// authentication. The count keeps the body in memory only if the caller was accepted. If a request
// fails authentication and its body is too large, the client gets the refusal for size.
import { Buffer } from "node:buffer";
import type { Context } from "hono";
import type { Endpoint } from "../endpoint.ts";
import { OPEN_BODY_BYTES, REQUEST_BODY_BYTES } from "../limits.ts";
import { refuse } from "../refusal.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";

/** Returns the largest body of an endpoint, in bytes. */
export function largestBodyOf({ largestBody, permission }: Endpoint): number {
  return largestBody ?? (permission === "console" ? OPEN_BODY_BYTES : REQUEST_BODY_BYTES);
}

/**
 * Refuses a body whose Content-Length exceeds `largest` bytes. Marks a body of unknown length, so
 * that a later step counts it. An HTTP/1.1 server never reads past Content-Length, so bodies with
 * that header need no counting.
 */
export function limitBody(largest: number): RequestStep {
  return (c) => {
    const length = c.get("headers").get("Content-Length");
    if (length === null) {
      if (c.req.raw.body) c.set("uncounted", largest);
    } else if (!(Number(length) <= largest)) throw refuse("payload_too_large");
  };
}

/** Reads a body of unknown length into memory, after the caller was accepted. */
export function bufferBody(c: Context<ApiContext>): void | Promise<void> {
  if (c.get("uncounted") !== undefined) return keep(c);
}

/** Counts a body of unknown length without keeping it, unless it was counted already. */
export function discardBody(c: Context<ApiContext>): void | Promise<void> {
  if (c.get("uncounted") !== undefined) return discard(c);
}

async function keep(c: Context<ApiContext>): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of countedBody(c)) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  c.req.raw = new Request(c.req.raw, { method: c.req.method, body });
}

async function discard(c: Context<ApiContext>): Promise<void> {
  const { url } = c.req;
  for await (const chunk of countedBody(c)) void chunk;
  // The new request has no body, because a page cannot forward a body that was already read.
  c.req.raw = new Request(url, { method: c.req.method, headers: c.get("headers") });
}

/**
 * Yields at most as many bytes as the route accepts. Reads and drops up to 5 MB of the rest before
 * the refusal, because a client often loses the answer if the server closes the stream early.
 */
async function* countedBody(c: Context<ApiContext>): AsyncGenerator<Uint8Array> {
  const largest = c.get("uncounted") ?? 0;
  c.set("uncounted", undefined);
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > Math.max(largest, REQUEST_BODY_BYTES)) break;
    if (size <= largest) yield chunk;
  }
  if (size > largest) throw refuse("payload_too_large");
}
