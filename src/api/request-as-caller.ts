// Makes a request to a Postern endpoint on behalf of the caller of another endpoint: a tool for
// agents, or an endpoint of Resend's API.
import type { Context } from "hono";
import type { AuditDoor } from "../audit.ts";
import type { ApiContext } from "./api-context.ts";
import { rememberDoor } from "./translated-request.ts";

/** The headers that describe the body of the caller's own request. */
const OF_THE_BODY = ["Content-Type", "Content-Length", "Idempotency-Key"] as const;

/**
 * Makes the request. It has the caller's headers, except those of the body, and the caller's `cf`.
 * So the endpoint sees the same key and client's address. `headers` are additional headers.
 */
export function requestAsCaller(
  { c, door }: { readonly c: Context<ApiContext>; readonly door: AuditDoor },
  method: string,
  path: string,
  body?: { readonly type: string; readonly text: string },
  headers: Readonly<Record<string, string>> = {},
): Request {
  const own = new Headers(c.get("headers"));
  for (const name of OF_THE_BODY) own.delete(name);
  const bytes = body && new TextEncoder().encode(body.text);
  if (body && bytes) {
    own.set("Content-Type", body.type);
    // Content-Length is set, because the body limit copies a body without it to count the bytes
    // (body-limit.ts).
    own.set("Content-Length", String(bytes.length));
  }
  for (const [name, value] of Object.entries(headers)) own.set(name, value);
  const { cf } = c.get("arrived");
  const request = new Request(new URL(path, c.req.url), {
    method,
    headers: own,
    ...(bytes && { body: bytes }),
    ...(cf && { cf }),
  });
  rememberDoor(request, door);
  return request;
}
