// Tells requests of the console's own pages from those that other sites make a browser send
// (contract.md §Console sessions). No answer has CORS headers, so a page of another origin can't
// send the console's own header.
import type { Context } from "hono";
import type { Env } from "../../env.ts";
import { refuse } from "../../refusal.ts";
import type { ApiContext } from "../api-context.ts";

/** The parts of a request by which the console's session in it is judged. */
export interface BrowserRequest {
  readonly env: Env;
  readonly headers: Headers;
  /** The origin that the request was sent to. */
  readonly origin: string;
  /** Unix milliseconds. */
  readonly now: number;
}

type Sent = Pick<BrowserRequest, "headers" | "origin">;

const CONSOLE_HEADER = "X-Postern-Console";

/** Lets a request pass that a page of this origin certainly made. */
export function requireOwnPage(c: Context<ApiContext>): void {
  const headers = c.get("headers");
  const isNamed = headers.has("Origin") || headers.has("Sec-Fetch-Site");
  if (!isNamed || !isOwnOrigin({ headers, origin: new URL(c.req.url).origin }))
    throw refuse("foreign_page");
}

/**
 * Tells whether the console itself made the request: its header is there, the headers of the
 * browser speak of no other origin, and no other credential is presented.
 */
export function isOfConsole({ headers, origin }: Sent): boolean {
  return (
    headers.get(CONSOLE_HEADER) === "1" &&
    !headers.has("Authorization") &&
    isOwnOrigin({ headers, origin })
  );
}

function isOwnOrigin({ headers, origin }: Sent): boolean {
  return (
    [null, origin].includes(headers.get("Origin")) &&
    [null, "same-origin"].includes(headers.get("Sec-Fetch-Site"))
  );
}
