// Tells requests of the console's own pages from those that other sites make a browser send
// (contract.md §Console sessions). No answer has CORS headers, so a page of another origin can't
// send the console's own header.
import type { Context } from "hono";
import type { Env } from "../../env.ts";
import { type RefusalError, refuse } from "../../refusal.ts";
import type { ApiContext, RequestStep } from "../api-context.ts";

/** The parts of a request by which the console's session in it is judged. */
export interface BrowserRequest {
  readonly env: Env;
  readonly headers: Headers;
  /** Returns the URL that the request was sent to. */
  readonly url: () => string;
  /** Unix milliseconds. */
  readonly now: number;
}

type Sent = Pick<BrowserRequest, "headers" | "url">;

const CONSOLE_HEADER = "X-Postern-Console";

/** Lets a request pass that a page of this origin certainly made. */
export function requireOwnPage(c: Context<ApiContext>): void {
  const headers = c.get("headers");
  const isNamed = headers.has("Origin") || headers.has("Sec-Fetch-Site");
  if (!isNamed || !isOwnOrigin({ headers, url: () => c.req.url })) throw refuse("foreign_page");
}

/**
 * Lets a form pass that a page of this origin posted. The console's pages send no referrer, so a
 * browser hides the origin of their forms, and Sec-Fetch-Site decides. A browser that lacks that
 * header says the origin. Other callers are answered as if the page did not exist.
 */
export function requireOwnForm(notFound: (c: Context<ApiContext>) => RefusalError): RequestStep {
  return (c) => {
    const headers = c.get("headers");
    const site = headers.get("Sec-Fetch-Site");
    const isOwn =
      site === null ? headers.get("Origin") === new URL(c.req.url).origin : site === "same-origin";
    if (!isOwn) throw notFound(c);
  };
}

/** Refuses a page of another origin, and lets programs pass, which name none. */
export function refuseForeignOrigin(c: Context<ApiContext>): void {
  const origin = c.get("headers").get("Origin");
  if (origin !== null && origin !== new URL(c.req.url).origin) throw refuse("foreign_origin");
}

/**
 * Tells whether the console itself made the request: its header is there, the headers of the
 * browser speak of no other origin, and no other credential is presented.
 */
export function isOfConsole({ headers, url }: Sent): boolean {
  return (
    headers.get(CONSOLE_HEADER) === "1" &&
    !headers.has("Authorization") &&
    isOwnOrigin({ headers, url })
  );
}

function isOwnOrigin({ headers, url }: Sent): boolean {
  return (
    [null, new URL(url()).origin].includes(headers.get("Origin")) &&
    [null, "same-origin"].includes(headers.get("Sec-Fetch-Site"))
  );
}
