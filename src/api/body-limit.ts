// Refuses a body that is too large for its route, before any other check (contract.md §Request
// bodies): by its Content-Length, or by counting the stream. A stream is counted only after the
// caller was judged: then the worker keeps the body of a caller that may send one, and counts any
// other without keeping it. Either way a body that is too large outweighs what the judges say.
import { Buffer } from "node:buffer";
import type { Context } from "hono";
import type { Endpoint } from "../endpoint.ts";
import { OPEN_BODY_BYTES, REQUEST_BODY_BYTES } from "../limits.ts";
import { refuse } from "../refusal.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";

/** The largest body of an endpoint, in bytes. */
export function largestBodyOf({ largestBody, permission }: Endpoint): number {
  return largestBody ?? (permission === "console" ? OPEN_BODY_BYTES : REQUEST_BODY_BYTES);
}

/**
 * Refuses a body whose Content-Length is beyond `largest` bytes, and has a body of unknown length
 * counted later. An HTTP/1.1 server never reads past Content-Length, so that no other has to be.
 */
export function limitBody(largest: number): RequestStep {
  return (c) => {
    const length = c.get("headers").get("Content-Length");
    if (length === null) {
      if (c.req.raw.body) c.set("uncounted", largest);
    } else if (!(Number(length) <= largest)) throw refuse("payload_too_large");
  };
}

/** Reads a body of unknown length into memory, for a caller that may send one. */
export function keepBody(c: Context<ApiContext>): void | Promise<void> {
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
  // A page that hands its request on can't hand on a body that was read.
  c.req.raw = new Request(url, { method: c.req.method, headers: c.get("headers") });
}

/**
 * Yields the bytes that the route takes. Up to 5 MB of the rest are read and dropped before the
 * refusal, since a client whose stream is closed while it writes often loses the answer.
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
