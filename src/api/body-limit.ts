// Refuses a body that is too large, before any other check (contract.md §Request bodies): by its
// Content-Length, or by counting the stream, of which the worker never holds more than the limit. A
// frame of the gateway may be larger by its envelope; the message in it is checked separately.
import type { Context } from "hono";
import { ENVELOPE_BYTES, REQUEST_BODY_BYTES } from "../limits.ts";
import { refuse } from "../refusal.ts";
import type { ApiContext } from "./api-context.ts";

const ENVELOPE_LENGTH_BYTES = 4;

export function limitBody(c: Context<ApiContext>): void | Promise<void> {
  const limit =
    c.req.path === "/gateway/messages"
      ? REQUEST_BODY_BYTES + ENVELOPE_BYTES + ENVELOPE_LENGTH_BYTES
      : REQUEST_BODY_BYTES;
  const length = c.get("headers").get("Content-Length");
  if (length !== null && Number(length) > limit) throw refuse("payload_too_large");
  // An HTTP/1.1 server never reads past Content-Length, so only a body of unknown length has to be
  // counted.
  if (length === null && c.req.raw.body) return countBody(c, c.req.raw.body, limit);
}

async function countBody(
  c: Context<ApiContext>,
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<void> {
  c.req.raw = new Request(c.req.raw, {
    method: c.req.method,
    body: await readWithin(body, limit),
  });
}

async function readWithin(stream: ReadableStream<Uint8Array>, limit: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw refuse("payload_too_large");
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes.buffer;
}
