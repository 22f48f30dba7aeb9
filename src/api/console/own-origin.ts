// Distinguishes requests of the console's own pages from requests that a page of another site makes
// a browser send (contract.md §Console sessions). No response has CORS headers, so a page of
// another origin cannot send the console's own header.
import type { Context } from "hono";
import type { Env } from "../../env.ts";
import { type RefusalError, refuse } from "../../refusal.ts";
import type { ApiContext, RequestStep } from "../api-context.ts";

/** The parts of a request that decide whether its console session is valid. */
export interface BrowserRequest {
  readonly env: Env;
  readonly headers: Headers;
  /** Returns the URL that the request was sent to. */
  readonly url: () => string;
  /** The time of the request, in Unix milliseconds. */
  readonly now: number;
}

type Sent = Pick<BrowserRequest, "headers" | "url">;

const CONSOLE_HEADER = "X-Postern-Console";

/** Accepts a request only if its headers prove that a page of this origin made it. */
export function requireOwnPage(c: Context<ApiContext>): void {
  const headers = c.get("headers");
  const isNamed = headers.has("Origin") || headers.has("Sec-Fetch-Site");
  if (!isNamed || !isOwnOrigin({ headers, url: () => c.req.url })) throw refuse("foreign_page");
}

/**
 * Accepts a form only if a page of this origin posted it. The console's pages send no referrer, so
 * browsers send `Origin: null` with their forms. In this case Sec-Fetch-Site decides. Browsers
 * without Sec-Fetch-Site send the real origin. A form from another page gets 404, as if the
 * console's page did not exist.
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

/** Refuses a page of another origin. Accepts programs, which send no origin. */
export function refuseForeignOrigin(c: Context<ApiContext>): void {
  const origin = c.get("headers").get("Origin");
  if (origin !== null && origin !== new URL(c.req.url).origin) throw refuse("foreign_origin");
}

/**
 * Tells whether the console itself made the request: it then has the console's header, no other
 * credential, and no header that names another origin.
 */
export function isOfConsole({ headers, url }: Sent): boolean {
  return (
    headers.get(CONSOLE_HEADER) === "1" &&
    !headers.has("Authorization") &&
    isOwnOrigin({ headers, url })
  );
}

/** Tells whether a browser opens the URL as a page, and not a script of the console. */
export function isNavigation(headers: Headers): boolean {
  return !headers.has(CONSOLE_HEADER) && (headers.get("Accept") ?? "").includes("text/html");
}

function isOwnOrigin({ headers, url }: Sent): boolean {
  return (
    [null, new URL(url()).origin].includes(headers.get("Origin")) &&
    [null, "same-origin"].includes(headers.get("Sec-Fetch-Site"))
  );
}
